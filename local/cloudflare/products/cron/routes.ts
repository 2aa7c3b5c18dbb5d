import { Hono } from 'hono'
import * as z from 'zod'
import { countOtherSchedules, cronProblem, listSchedules, replaceSchedules } from './schedules.ts'
import type { Account, Script } from '../../types.ts'
import type { ApiEnv, Cloud } from '../../rest/context.ts'
import { respond, isoTime } from '../../rest/envelope.ts'
import { ApiFailure } from '../../rest/failure.ts'
import { readBody } from '../../rest/read-body.ts'
import { findScriptOrRefuse } from '../../rest/find-script.ts'
import type { CronScheduler } from './scheduler.ts'

const Schedules = z.array(z.object({ cron: z.string() }))
const TRIGGERS_MAX = { free: 5, paid: 250 }

/** As at the provider, the request body is a plain array and not an object. */
export function scheduleRoutes(cloud: Cloud & { cronScheduler: Pick<CronScheduler, 'check'> }): Hono<ApiEnv> {
  return new Hono<ApiEnv>()
    .get('/schedules', (c) => respond(c, toSchedules(cloud, findScriptOrRefuse(cloud, c))))
    .put('/schedules', async (c) => {
      const crons = (await readBody(c, Schedules)).map((item) => item.cron.trim())
      const script = findScriptOrRefuse(cloud, c)
      checkSchedules(cloud, c.get('account'), script, crons)
      replaceSchedules(cloud.store, script.id, crons, cloud.now())
      cloud.cronScheduler.check()
      return respond(c, toSchedules(cloud, script))
    })
}

function checkSchedules(cloud: Cloud, account: Account, script: Script, crons: string[]): void {
  for (const cron of crons) {
    const problem = cronProblem(cron)
    if (problem !== null) throw new ApiFailure(400, 10100, `invalid cron string '${cron}': ${problem}`)
  }
  const most = TRIGGERS_MAX[account.plan]
  if (countOtherSchedules(cloud.store, account.id, script.id) + new Set(crons).size > most)
    throw new ApiFailure(403, 10072, `You have exceeded the limit of ${most} cron triggers.`)
}

function toSchedules({ store }: Cloud, script: Script): object {
  const schedules = listSchedules(store, script.id).map(({ cron, createdAt, modifiedAt }) => ({
    cron,
    created_on: isoTime(createdAt),
    modified_on: isoTime(modifiedAt),
  }))
  return { schedules }
}
