/** Returns an SQL condition: the ticket `of` waits in the build queue. Use it for a single ticket, and `isInQueueOf` for a page. */
export const isQueued = (of: string): string =>
  `exists (select from build_queue q where q.project_id = ${of}.project_id and q.ticket_id = ${of}.id)`

/**
 * Returns an SQL condition: the ticket `of`, which belongs to the project with the id `projectId`, waits in the build
 * queue. Postgres reads the queue of the project once per statement instead of once per ticket.
 */
export const isInQueueOf = (of: string, projectId: string): string =>
  `${of}.id in (select q.ticket_id from build_queue q where q.project_id = ${projectId})`

/** Returns a `from` clause with the latest run of the ticket `of` as `r`. */
export const latestRun = (of: string): string =>
  `runs r where r.ticket_id = ${of}.id order by r.created_at desc, r.id desc limit 1`
