-- Workers AI of the connected cloud account as a provider of models.
alter table model_connections drop constraint model_connections_provider_check;
alter table model_connections add constraint model_connections_provider_check
  check (provider in ('anthropic', 'openai', 'google', 'openai-compatible', 'workers-ai', 'scaffold'));

-- What the connection's models read beside text (images, pdfs); null: what is known of a model by its name.
alter table model_connections add column modalities text[];

-- Attachments of what was said to a build: a JSON array of keys and media types.
alter table run_inputs add column files text;
