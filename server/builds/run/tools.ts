import * as z from 'zod'
import { type RunCheck, checkWorkspace, endTools } from '../../agent/tools/finish.ts'
import {
  type AgentTool,
  type ToolOutcome,
  agentTool,
  toolSuccess,
  toolFailure,
} from '../../agent/tools/tool.ts'
import type { ModelStep } from '../../agent/loop/transcript.ts'
import type { Workspace } from '../../agent/tools/workspace.ts'
import { setCapability } from '../../capabilities/switch/capabilities.ts'
import { enabledCapabilities } from '../../capability-state/enabled.ts'
import { describeReport } from '../../agent/check-report.ts'
import { transact } from '../../db/database.ts'
import type { RunRow } from '../../db/tables/runs.ts'
import { ApiError } from '../../http/errors.ts'
import { ProviderError } from '../../lib/provider-error.ts'
import type { PlatformPorts } from '../../platform.ts'
import { DEFAULT_NAME, nameUntitledProject } from '../../projects/projects.ts'
import { lockLeasedRun } from './lease.ts'
import { type PreviewError, describePreviewErrors, readPreviewErrors } from '../preview-errors.ts'
import { capabilityGuide } from '../../agent/prompts/guides.ts'
import { readTools } from '../../agent/tools/read.ts'
import { writeTools } from '../../agent/tools/write.ts'
import { allowsAnyPackage } from '../../security/policy.ts'
import { packageTool } from './package-tool.ts'
import { shipFromRun } from './ship.ts'
import type { ProjectRow } from '../../projects/store.ts'

export function buildTools(input: {
  platform: PlatformPorts<
    'accounts' | 'config' | 'keyring' | 'jobs' | 'listener' | 'packages' | 'textWorkers'
  >
  run: RunRow
  project: ProjectRow
  workspace: Workspace
  steps: ModelStep[]
  isIngested: boolean
  runCheck: RunCheck
}): AgentTool[] {
  const { platform, run, workspace, steps, isIngested, runCheck } = input
  const textWorkers = platform.textWorkers.of(run.org_id)
  const ship = (call: { key: string; signal: AbortSignal }) => shipFromRun(platform, run, workspace, call)
  return [
    ...readTools(workspace, textWorkers),
    ...writeTools(workspace, textWorkers),
    packageTool(workspace, {
      packages: platform.packages,
      owner: run.org_id,
      // A ticket from outside must not make an app run any third-party code.
      mayUseAny: async () => !isIngested && (await allowsAnyPackage(platform.db, run.org_id)),
    }),
    logsTool(workspace, () => readPreviewErrors(platform.db, run.ticket_id)),
    ...endTools(workspace, { runCheck, mayAsk: () => refuseQuestion(workspace, steps) }),
    ...projectTools({ ...input, ship }),
  ]
}

function refuseQuestion(workspace: Workspace, steps: ModelStep[]): string | null {
  if (workspace.isChanged) return 'files were changed already; decide yourself, and say so in the summary'
  const hasAsked = steps.some((step) =>
    step.results.some((result) => result.name === 'ask_user' && result.ok),
  )
  return hasAsked ? 'you asked already; decide yourself, and say so in the summary' : null
}

const SHIP_TOOL_MS_MAX = 120_000
const ENABLE_TOOL_MS_MAX = 30_000

export interface ProjectToolsInput {
  platform: PlatformPorts<'accounts' | 'config' | 'keyring' | 'jobs'>
  run: RunRow
  project: ProjectRow
  workspace: Workspace
  /** The steps so far: the array to which the agent appends during the run. */
  steps: readonly ModelStep[]
  runCheck: RunCheck
  /** Whether another system posted the ticket or a ticket above it. The build may then change only the app's source. */
  isIngested: boolean
  /** Commits the tree and deploys it; returns the address and the state of the deployment. */
  ship: (call: { key: string; signal: AbortSignal }) => Promise<{ url: string | null; state: string }>
}

/**
 * Returns the tools that change the project. A tool is offered only if the scopes with which the run was started permit
 * the tool's action.
 */
export function projectTools(input: ProjectToolsInput): AgentTool[] {
  const { run, project, isIngested } = input
  const tools: AgentTool[] = []
  if (project.name === DEFAULT_NAME) tools.push(renameTool(input))
  if (mayEnableCapabilities(run, isIngested)) tools.push(enableTool(input))
  if (run.scopes.includes('deploy:write') && !isIngested) tools.push(shipTool(input))
  return tools
}

export const mayEnableCapabilities = (run: RunRow, isIngested: boolean) =>
  run.scopes.includes('projects:write') && !isIngested

function renameTool({ platform, run }: ProjectToolsInput): AgentTool {
  return agentTool({
    name: 'rename_project',
    description: 'Gives the project a short name that fits the app.',
    input: z.object({ name: z.string().trim().min(1).max(60) }),
    isRepeatable: true,
    run: async ({ name }) => {
      const nameNow = await transact(platform.db, async (trx) => {
        await lockLeasedRun(trx, run)
        return await nameUntitledProject(trx, {
          orgId: run.org_id,
          projectId: run.project_id,
          name,
          actor: run.actor,
          at: platform.clock.now(),
        })
      })
      if (nameNow === name) return toolSuccess(`The project is now called ${name}.`)
      return toolFailure(
        'not_allowed',
        `the project was named ${JSON.stringify(nameNow)} and keeps this name`,
      )
    },
  })
}

function enableTool({ platform, run, project, workspace }: ProjectToolsInput): AgentTool {
  return agentTool({
    name: 'enable_capability',
    description:
      'Switches a capability of the project on, so that the app can use it (for example data). The result contains its guide.',
    input: z.object({ key: z.string(), settings: z.record(z.string(), z.unknown()).optional() }),
    timeoutMs: ENABLE_TOOL_MS_MAX,
    isRepeatable: true,
    run: async ({ key, settings }) => {
      const change = {
        enabled: true,
        actor: run.actor ?? 'agent',
        ...(settings === undefined ? {} : { settings }),
      }
      // Enabling an enabled capability has no effect, so the call may be repeated after a crash.
      const guide = () => `\n\n${capabilityGuide(key) ?? ''}`
      if (settings === undefined && workspace.enabled.has(key)) return toolSuccess(`${key} is on.${guide()}`)
      return refusalsAsResults(async () => {
        const record = await setCapability(platform, project, key, change)
        // Enabling a capability also enables those that it depends on.
        const enabled = await enabledCapabilities(platform.db, project.id)
        const also = [...enabled.difference(workspace.enabled)].filter((one) => one !== key).toSorted()
        for (const one of enabled) workspace.enable(one)
        const needed = also.length === 0 ? '' : ` It needs ${also.join(' and ')}: on too.`
        return toolSuccess(`${key} is on (${record.provision.state}).${needed}${guide()}`)
      })
    },
  })
}

function shipTool({ workspace, steps, runCheck, ship }: ProjectToolsInput): AgentTool {
  // The transcript survives a restart, so the app is not shipped a second time after one.
  const hasShipped = () => steps.some((step) => step.results.some(({ name, ok }) => name === 'ship' && ok))
  return agentTool({
    name: 'ship',
    description:
      'Puts the app live as it stands. Only when the ticket asks for it; needs a green check; once.',
    input: z.object({}),
    timeoutMs: SHIP_TOOL_MS_MAX,
    isRepeatable: true,
    run: async (_args, call) => {
      if (hasShipped()) return toolFailure('not_allowed', 'this run has shipped already')
      const report = await checkWorkspace(workspace, runCheck, call.signal)
      if (!report.ok) {
        return { ok: false, code: 'check_failed', text: `check_failed: ${describeReport(report)}`, report }
      }
      return refusalsAsResults(async () => {
        const { url, state } = await ship(call)
        return toolSuccess(url === null ? `Shipped; the state is ${state}.` : `Shipped: ${url} (${state}).`)
      })
    },
  })
}

/** Returns a refusal as a result, because the model can act on it. Any other error ends the run. */
async function refusalsAsResults(act: () => Promise<ToolOutcome>): Promise<ToolOutcome> {
  try {
    return await act()
  } catch (error) {
    if (error instanceof ApiError || error instanceof ProviderError)
      return toolFailure('not_allowed', error.message)
    throw error
  }
}

const LOG_CHARS_MAX = 8_000

/** Returns the tool that shows the preview errors since the last call of the tool, and what the app printed in the last check. */
export function logsTool(workspace: Workspace, readErrors: () => Promise<PreviewError[]>) {
  let shown: string[] = []
  return agentTool({
    name: 'logs',
    description:
      'Shows errors that the preview reported since this build began, and what the app printed in the last check.',
    input: z.object({}),
    isRepeatable: true,
    run: async () => {
      const errors = await readErrors()
      // Reading the errors does not delete them, because the ticket's next build receives them too. So skip those already shown.
      const texts = errors.map((error) => JSON.stringify(error))
      const fresh = errors.slice(countShown(shown, texts))
      shown = texts
      const printed = workspace.lastReport?.logs ?? []
      return toolSuccess(
        [
          fresh.length === 0 ? 'The preview reported nothing new.' : describePreviewErrors(fresh),
          printed.length === 0
            ? 'The app printed nothing in the last check.'
            : `The app printed in the last check:\n${printed.join('\n').slice(-LOG_CHARS_MAX)}`,
        ].join('\n\n'),
      )
    },
  })
}

/**
 * Returns how many errors at the start of `now` are the same as those at the end of `before`. Comparing the lengths would not be enough,
 * because the oldest errors are dropped when there are too many, and a person may clear the errors.
 */
function countShown(before: readonly string[], now: readonly string[]): number {
  for (let from = 0; from < before.length; from++) {
    const kept = before.slice(from)
    if (kept.every((text, i) => text === now[i])) return kept.length
  }
  return 0
}
