-- The call of a step that was last begun and must not run twice: when a process dies under it, the attempt that takes the
-- run over answers it as failed.
alter table run_steps add column begun int;
