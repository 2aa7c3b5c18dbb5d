/** Returns an SQL condition: the ticket `of` waits in the build queue. */
export const isQueued = (of: string): string =>
  `exists (select from build_queue q where q.project_id = ${of}.project_id and q.ticket_id = ${of}.id)`

/** Returns an SQL condition: the ticket `of` was built at least once. */
export const hasRun = (of: string): string => `exists (select from runs r where r.ticket_id = ${of}.id)`

/** Returns a `from` clause with the latest run of the ticket `of` as `r`. */
export const latestRun = (of: string): string =>
  `runs r where r.ticket_id = ${of}.id order by r.created_at desc, r.id desc limit 1`
