-- The help desk lists the conversations of all organizations by state.
create index help_threads_desk on help_threads (state, last_at desc, id desc);
