import { join } from 'node:path'
import { createProject, setCapability, setProjectModel } from '@slipway/sdk/client/sdk.gen.ts'
import { unwrap } from '@slipway/sdk/request.ts'
import type { Browser } from 'playwright-core'
import { type TicketBuild, buildTicket } from './build-ticket.ts'
import type { TaskResult, TicketResult } from './figures.ts'
import { CHECK_LIMITS, runCheck, takePicture } from './run-checks.ts'
import type { Judge, Judgement } from './judge.ts'
import type { Target } from './target.ts'
import type { Check, Task, TicketStep } from './task.ts'

export interface RunOptions {
  /** The number of the repetition, from 1. */
  run: number
  limitMs: number
  /** The folder for screenshots of the apps; null for none. */
  pictures: string | null
  /** The model that judges the finished app; null for none. */
  judge: Judge | null
  label: string | null
}

/**
 * Builds the tickets of a task one after the other in a new project. After each build it runs the checks of that ticket, and the checks of
 * earlier tickets that still apply.
 */
export async function runTask(
  target: Target,
  browser: Browser,
  task: Task,
  options: RunOptions,
): Promise<TaskResult> {
  const result = { task: task.name, model: target.model, run: options.run, label: options.label }
  const skipped = skipReason(target, task)
  if (skipped !== null) return { ...result, passed: false, skipped, judged: null, tickets: [] }
  const { client } = target
  const { id } = await unwrap(createProject({ client, body: { name: `Eval ${task.name}` } }))
  if (target.choice !== null)
    await unwrap(setProjectModel({ client, path: { projectId: id }, body: target.choice }))
  for (const { key, ...given } of task.setup ?? [])
    await unwrap(setCapability({ client, path: { projectId: id, key }, body: { enabled: true, ...given } }))
  const tickets: TicketResult[] = []
  let app: string | null = null
  for (const [index, step] of task.tickets.entries()) {
    const began = performance.now()
    await target.play?.(step.script ?? [])
    const built = await buildTicket(target, id, step, options.limitMs)
    const seconds = (performance.now() - began) / 1000
    app = built.previewUrl ?? app
    const url = app
    const picture = (about: string) => pictureOf(options, `${task.name} ${index + 1} ${about}`)
    const keeps = (check: Check) =>
      url === null
        ? `${check.name}: there is no app to look at`
        : runCheck(browser, url, check, { ...CHECK_LIMITS, picture: picture(check.name) })
    tickets.push(await judgeTicket(keeps, { task, index, step }, built, seconds))
    if (url !== null) await takePicture(browser, url, picture('app'))
  }
  const judged = app === null ? null : await judgeApp(options.judge, { task, browser, url: app })
  return { ...result, passed: tickets.every((ticket) => ticket.passed), skipped: null, judged, tickets }
}

/**
 * Returns the judge's opinion, or null without a judge. Also returns null when the judge fails, because the opinion never decides whether a
 * task passed.
 */
async function judgeApp(
  judge: Judge | null,
  { task, browser, url }: { task: Task; browser: Browser; url: string },
): Promise<Judgement | null> {
  try {
    return judge === null ? null : await judge(task, browser, url)
  } catch (error) {
    process.stderr.write(`the judge failed: ${error instanceof Error ? error.message : String(error)}\n`)
    return null
  }
}

/** Returns the path of a screenshot; null when there is no folder for screenshots. */
function pictureOf({ pictures, run }: RunOptions, about: string): string | null {
  return pictures === null ? null : join(pictures, `${`${about} ${run}`.replaceAll(/\W+/g, '-')}.png`)
}

/** Returns why this model is skipped for this task; null when it is not. */
export function skipReason(target: Pick<Target, 'kind'>, task: Task): string | null {
  if (target.kind === 'scaffold' && task.requires?.includes('free-form') === true)
    return 'it needs a model that writes code; the scaffold is a fixed program'
  if (target.kind === 'scripted' && task.tickets.some((step) => step.script === undefined))
    return 'it has no script for the scripted model'
  return null
}

/** Runs a check. Returns null when it passes, otherwise why it failed. */
type RunCheck = (check: Check) => Promise<string | null> | string

async function judgeTicket(
  keeps: RunCheck,
  { task, index, step }: { task: Task; index: number; step: TicketStep },
  built: TicketBuild,
  seconds: number,
): Promise<TicketResult> {
  const wanted = step.outcome ?? 'built'
  const problems: string[] = []
  if (built.outcome !== wanted)
    problems.push(`ended as ${built.outcome} instead of ${wanted}. ${built.message.slice(0, 300)}`.trim())
  const failed = async (checks: readonly Check[]) => {
    const found: string[] = []
    for (const check of checks) {
      const problem = await keeps(check)
      if (problem !== null) found.push(problem)
    }
    return found
  }
  const own = await failed(step.checks)
  const broken = await failed(earlierPromises(task, index))
  problems.push(...own, ...broken.map((problem) => `broke what worked before: ${problem}`))
  return {
    title: step.title,
    outcome: built.outcome,
    passed: problems.length === 0,
    problems,
    checks: { passed: step.checks.length - own.length, total: step.checks.length },
    regressions: broken.length,
    questions: built.questions,
    edits: built.edits,
    rewrites: built.rewrites,
    usage: built.usage,
    seconds,
  }
}

/** Returns the checks of earlier tickets that still apply after this ticket. */
export function earlierPromises(task: Task, index: number): Check[] {
  return task.tickets
    .slice(0, index)
    .flatMap((step) => step.checks)
    .filter((check) => check.until === undefined || index + 1 < check.until)
}
