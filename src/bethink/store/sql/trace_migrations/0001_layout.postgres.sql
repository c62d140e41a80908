-- Traces lie in ranges of their ids, which begin with the millisecond they were made in: a partition a month, so that what is
-- older than its retention goes as a whole. `make_trace_months` adds those to come; the default takes what has none.
create table trace_rest partition of trace default;
