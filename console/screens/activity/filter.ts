import type { ActivityFilter } from '../../api/organization/activity.ts'
import type { ActivitySearch } from '../../routes.ts'

const DAY_PATTERN = /^(\d{4})-(\d{2})-(\d{2})$/

/** Reads the filters from the URL. Leaves out invalid days and an empty project. */
export function readActivitySearch(search: Record<string, unknown>): ActivitySearch {
  const { project, from, to } = search
  return {
    ...(typeof project === 'string' && project !== '' && { project }),
    ...(typeof from === 'string' && startOfDay(from) !== null && { from }),
    ...(typeof to === 'string' && startOfDay(to) !== null && { to }),
  }
}

/**
 * The filter of the request. `from` and `to` are whole days in the local time zone, the last day included.
 */
export function activityFilter({ project, from, to }: ActivitySearch): ActivityFilter {
  const first = startOfDay(from)
  const last = startOfDay(to)
  return {
    ...(project !== undefined && { projectId: project }),
    ...(first !== null && { from: first.getTime() }),
    ...(last !== null && {
      to: new Date(last.getFullYear(), last.getMonth(), last.getDate() + 1).getTime() - 1,
    }),
  }
}

/** The first moment of a day in the local time zone. Null for an invalid day and for a day before 1970. */
function startOfDay(day: string | undefined): Date | null {
  const [, year, month, date] = DAY_PATTERN.exec(day ?? '') ?? []
  if (year === undefined || month === undefined || date === undefined) return null
  const start = new Date(Number(year), Number(month) - 1, Number(date))
  // `Date` reads a year below 100 as a year of the 20th century.
  const isExact = start.getFullYear() === Number(year) && start.getMonth() === Number(month) - 1
  return isExact && start.getTime() >= 0 ? start : null
}
