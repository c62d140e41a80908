"""The databases: repositories, search, migrations. Only `bethink.open` imports it."""
