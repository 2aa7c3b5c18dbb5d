import { unavailableReason } from '../connections/unavailable-reason.ts'
import type { CallerContext, Context } from '../endpoint.ts'
import { formerAccounts } from '../moves/moves.ts'
import { loadProject } from '../projects/projects.ts'
import { hoursOf, readCounts, servingWorker, sumHours, WINDOW_HOURS } from './account-counts.ts'
import { groupErrors, readLiveErrors } from './live-errors.ts'
import { listLiveProjects } from '../projects/store.ts'
import { locateErrors } from '../releases/error-stacks.ts'

const NOT_DEPLOYED = 'The project is not live. Ship it first.'

export async function readAnalytics(ctx: Context<'accounts'>, projectId: string) {
  const project = await loadProject(ctx, projectId)
  if (project.lifecycle !== 'live') return { state: 'unavailable' as const }
  const worker = servingWorker(project)
  try {
    const [live, former] = await readLiveProjects(ctx, project.org_id)
    const accountId = former.get(project.id)
    const together = live.filter(({ id }) => former.get(id) === accountId)
    const isCovered = together.some(({ id }) => id === project.id)
    const workers = isCovered ? together.map(servingWorker) : [worker]
    const { window, byScript } = await readCounts(ctx, { orgId: project.org_id, accountId }, workers)
    const own = byScript.get(worker)
    const series = hoursOf(window).map((hour) => ({
      at: new Date(hour).toISOString(),
      ...(own?.get(hour) ?? { requests: 0, errors: 0 }),
    }))
    return { state: 'ok' as const, windowHours: WINDOW_HOURS, ...sumHours(own), series }
  } catch (error) {
    if (unavailableReason(error) === null) throw error
    return { state: 'unavailable' as const }
  }
}

/** Returns the errors of the last 24 hours in groups, the latest group first. */
export async function readErrors(ctx: Context<'accounts' | 'checkers' | 'packages'>, projectId: string) {
  const project = await loadProject(ctx, projectId)
  if (project.lifecycle !== 'live') return { state: 'unavailable' as const, items: [], reason: NOT_DEPLOYED }
  try {
    const groups = groupErrors(await readLiveErrors(ctx, project))
    const items = (await locateErrors(ctx, project, groups)).map(({ release: _release, ...item }) => item)
    return { state: 'ok' as const, items }
  } catch (error) {
    const reason = unavailableReason(error)
    if (reason === null) throw error
    return { state: 'unavailable' as const, items: [], reason }
  }
}

/** Returns the traffic of the live projects in the last 24 hours. `covered` leaves out projects whose account cannot be read. */
export async function readTraffic(ctx: Context<'accounts'>) {
  const orgId = ctx.caller.organizationId
  const [live, former] = await readLiveProjects(ctx, orgId)
  const groups = [...Map.groupBy(live, ({ id }) => former.get(id))]
  const read = await Promise.all(
    groups.map(async ([accountId, projects]) => {
      try {
        const { byScript } = await readCounts(ctx, { orgId, accountId }, projects.map(servingWorker))
        return projects.map(
          (project) => [project.id, sumHours(byScript.get(servingWorker(project)))] as const,
        )
      } catch (error) {
        if (unavailableReason(error) === null) throw error
        return []
      }
    }),
  )
  const counts = new Map(read.flat())
  const projects = live.flatMap(({ id, name }) => {
    const { requests, errors } = counts.get(id) ?? { requests: 0, errors: 0 }
    return requests > 0 || errors > 0 ? [{ projectId: id, name, requests, errors }] : []
  })
  return { projects, covered: counts.size }
}

/** Returns the live projects, and by project id the former account of each that is not in the connected account yet. */
const readLiveProjects = ({ db }: CallerContext<'db'>, orgId: string) =>
  Promise.all([listLiveProjects(db, orgId, COVERED_PROJECTS_MAX), formerAccounts(db, orgId)])

/** The highest number of projects in one read: 25 hours of each fit into the 10,000 rows that the provider returns. */
const COVERED_PROJECTS_MAX = 400
