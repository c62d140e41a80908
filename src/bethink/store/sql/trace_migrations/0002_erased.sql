-- What was erased, as `trace_ref` names it, so that a trace whose recall began before the erase is kept without words after it.
create table trace_erased (
    tenant text not null,
    hash bigint not null,
    primary key (tenant, hash)
) /*clustered*/;
