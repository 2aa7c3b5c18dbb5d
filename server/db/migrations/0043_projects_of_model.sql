-- Deleting a model connection clears it in the projects that use it: without an index it reads all projects. Few
-- projects choose a model of their own, so the index holds only these.
create index projects_model_connection on projects (model_connection_id) where model_connection_id is not null;
