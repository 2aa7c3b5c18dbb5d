import * as z from 'zod'
import { type CheckReport, describeReport } from '../check-report.ts'
import { Question } from '../frames.ts'
import type { Workspace } from './workspace.ts'
import { type ToolOutcome, agentTool, toolFailure } from './tool.ts'

/**
 * Longer than the check's own time limit on a busy machine (four minutes), so that a slow check ends by its own limit, and the report
 * names the phase that took too long. The remaining time is for the wait until a check process is free. The time limit of the build also
 * applies.
 */
const CHECK_MS = 600_000

/** Checks the app in its current state. The implementation limits the time; aborting the signal stops the check. */
export type RunCheck = (workspace: Workspace, signal: AbortSignal) => Promise<CheckReport>

/** Returns the report of the current tree, cached when the same tree was checked before. */
export async function checkWorkspace(
  workspace: Workspace,
  runCheck: RunCheck,
  signal: AbortSignal,
): Promise<CheckReport> {
  const { hash } = workspace
  const kept = workspace.reportOf(hash)
  if (kept !== undefined) return kept
  const report = await runCheck(workspace, signal)
  workspace.keepReport(hash, report)
  return report
}

/** The tools that check or end the work: check, ask_user, finish. */
export function endTools(workspace: Workspace, options: { runCheck: RunCheck; mayAsk: () => string | null }) {
  return [
    agentTool({
      name: 'check',
      description:
        'Runs every check over the app: manifest, paths, secrets, bundle, types, lint, boot, tests, pages in a browser. Use it before you finish.',
      input: z.object({}),
      timeoutMs: CHECK_MS,
      run: async (_args, { signal }) => {
        const report = await checkWorkspace(workspace, options.runCheck, signal)
        return {
          ok: report.ok,
          text: describeReport(report),
          report,
          ...(report.ok ? {} : { code: 'check_failed' }),
        }
      },
    }),
    agentTool({
      name: 'ask_user',
      description:
        'Asks the user up to three questions and ends the run until they are answered. Only before the first change, only once, and only when the ticket cannot be understood without it.',
      input: z.object({
        questions: z
          .array(
            z.object({
              id: z.string().regex(/^[a-z][a-z0-9_-]{0,39}$/),
              question: z.string().min(1).max(500),
              options: z.array(z.string().min(1).max(200)).min(2).max(5),
              default: z.string().min(1).max(200),
              multiple: z.boolean().optional(),
            }),
          )
          .min(1)
          .max(3),
      }),
      isRepeatable: true,
      run: ({ questions }) => {
        const refused = options.mayAsk()
        if (refused !== null) return toolFailure('too_late', refused)
        const ids = new Set(questions.map((question) => question.id))
        if (ids.size < questions.length)
          return toolFailure('invalid_arguments', 'questions: every id must be different')
        // The user could neither see nor deselect a default that is not an option.
        const stray = questions.find((question) => !question.options.includes(question.default))
        if (stray !== undefined)
          return toolFailure(
            'invalid_arguments',
            `questions: the default of ${stray.id} must be one of its options`,
          )
        return {
          ok: true,
          text: 'The questions were put to the user.',
          end: { kind: 'ask', questions: questions.map((question) => Question.parse(question)) },
        }
      },
    }),
    agentTool({
      name: 'finish',
      description:
        'Ends the work with a summary for the user: what was built, what was assumed. Runs the check; when it is red the work continues.',
      input: z.object({ summary: z.string().min(1).max(4_000) }),
      timeoutMs: CHECK_MS,
      run: ({ summary }, { signal }) => checkAndFinish(workspace, options.runCheck, { summary, signal }),
    }),
  ]
}

async function checkAndFinish(
  workspace: Workspace,
  runCheck: RunCheck,
  { summary, signal }: { summary: string; signal: AbortSignal },
): Promise<ToolOutcome> {
  // Without a change there is nothing to check, so the summary is the reply.
  if (!workspace.isChanged)
    return { ok: true, text: 'Finished without changes.', end: { kind: 'finish', summary } }
  const report = await checkWorkspace(workspace, runCheck, signal)
  if (!report.ok) {
    const text = `check_failed: the work is not finished.\n${describeReport(report)}`
    return { ok: false, code: 'check_failed', text, report }
  }
  return { ok: true, text: 'Finished.', report, end: { kind: 'finish', summary } }
}
