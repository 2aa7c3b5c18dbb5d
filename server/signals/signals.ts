import { unavailableReason } from '../connections/unavailable-reason.ts'
import type { Context } from '../endpoint.ts'
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
    const live = await listLiveProjects(ctx.db, project.org_id, COVERED_PROJECTS_MAX)
    const isCovered = live.some(({ id }) => id === project.id)
    const workers = isCovered ? live.map(servingWorker) : [worker]
    const { window, byScript } = await readCounts(ctx, project.org_id, workers)
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

/** Returns the traffic of all live projects in the last 24 hours. `covered` is 0 when the numbers are unavailable. */
export async function readTraffic(ctx: Context<'accounts'>) {
  const orgId = ctx.caller.organizationId
  const live = await listLiveProjects(ctx.db, orgId, COVERED_PROJECTS_MAX)
  if (live.length === 0) return { projects: [], covered: 0 }
  try {
    const { byScript } = await readCounts(ctx, orgId, live.map(servingWorker))
    const projects = live
      .map((project) => ({
        projectId: project.id,
        name: project.name,
        ...sumHours(byScript.get(servingWorker(project))),
      }))
      .filter(({ requests, errors }) => requests > 0 || errors > 0)
    return { projects, covered: live.length }
  } catch (error) {
    if (unavailableReason(error) === null) throw error
    return { projects: [], covered: 0 }
  }
}

/** The highest number of projects in one read: 25 hours of each fit into the 10,000 rows that the provider returns. */
const COVERED_PROJECTS_MAX = 400
