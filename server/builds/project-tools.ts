import type { Selectable } from 'kysely'
import * as z from 'zod'
import { checkWorkspace, type RunCheck } from '../agent/tools/finish.ts'
import { type AgentTool, type ToolOutcome, agentTool, done, failed } from '../agent/tools/tool.ts'
import type { Step } from '../agent/transcript.ts'
import type { Workspace } from '../agent/workspace.ts'
import { setCapability } from '../capabilities/switch/capabilities.ts'
import { describeReport } from '../agent/check/errors.ts'
import { transact } from '../db/database.ts'
import type { ProjectsTable } from '../db/tables/projects.ts'
import type { RunsTable } from '../db/tables/runs.ts'
import { ApiError } from '../http/errors.ts'
import { ProviderError } from '../lib/provider-error.ts'
import type { Platform } from '../platform.ts'
import { DEFAULT_NAME, renameProject } from '../projects/projects.ts'
import { holdLease } from './run-session.ts'

const SHIP_MS = 120_000
const CAPABILITY_MS = 30_000

export type ProjectRow = Selectable<ProjectsTable>

export interface ProjectToolsInput {
  platform: Platform
  run: RunsTable
  project: ProjectRow
  workspace: Workspace
  /** The transcript so far; it grows while the run goes on. */
  steps: readonly Step[]
  runCheck: RunCheck
  /** The ticket, or one above it, came from outside: its text must not reach further than the app's source. */
  isIngested: boolean
  /** Commits the tree as it stands and puts it live; answers where. */
  ship: (call: { key: string; signal: AbortSignal }) => Promise<{ url: string | null; state: string }>
}

/** Tools that act on the project itself; which of them a run has is decided by the scopes it was started with. */
export function projectTools(input: ProjectToolsInput): AgentTool[] {
  const { run, project, isIngested } = input
  const tools: AgentTool[] = []
  if (project.name === DEFAULT_NAME) tools.push(renameTool(input))
  if (mayEnableCapabilities(run, isIngested)) tools.push(enableTool(input))
  if (run.scopes.includes('deploy:write') && !isIngested) tools.push(shipTool(input))
  return tools
}

export const mayEnableCapabilities = (run: RunsTable, isIngested: boolean) =>
  run.scopes.includes('projects:write') && !isIngested

function renameTool({ platform, run }: ProjectToolsInput): AgentTool {
  return agentTool({
    name: 'rename_project',
    description: 'Gives the project a short name that fits the app.',
    input: z.object({ name: z.string().trim().min(1).max(60) }),
    isRepeatable: true,
    run: async ({ name }) => {
      await transact(platform.db, async (trx) => {
        await holdLease(trx, run)
        await renameProject(trx, {
          orgId: run.org_id,
          projectId: run.project_id,
          name,
          actor: run.actor,
          at: platform.clock.now(),
        })
      })
      return done(`The project is now called ${name}.`)
    },
  })
}

function enableTool({ platform, run, project, workspace }: ProjectToolsInput): AgentTool {
  return agentTool({
    name: 'enable_capability',
    description: 'Switches a capability of the project on, so that the app can use it (for example data).',
    input: z.object({ key: z.string(), settings: z.record(z.string(), z.unknown()).optional() }),
    timeoutMs: CAPABILITY_MS,
    isRepeatable: true,
    run: async ({ key, settings }) => {
      const change = {
        enabled: true,
        actor: run.actor ?? 'agent',
        ...(settings === undefined ? {} : { settings }),
      }
      // Switching on what is on changes nothing, so a call repeated after a crash does no harm.
      if (settings === undefined && workspace.enabled.has(key)) return done(`${key} is on.`)
      return answered(async () => {
        const record = await setCapability(platform, project, key, change)
        workspace.enable(key)
        return done(`${key} is on (${record.provision.state}).`)
      })
    },
  })
}

function shipTool({ workspace, steps, runCheck, ship }: ProjectToolsInput): AgentTool {
  // Read from the transcript, so that a restart does not allow a second one.
  const hasShipped = () => steps.some((step) => step.results.some(({ name, ok }) => name === 'ship' && ok))
  return agentTool({
    name: 'ship',
    description:
      'Puts the app live as it stands. Only when the ticket asks for it; needs a green check; once.',
    input: z.object({}),
    timeoutMs: SHIP_MS,
    isRepeatable: true,
    run: async (_args, call) => {
      if (hasShipped()) return failed('not_allowed', 'this run has shipped already')
      const report = await checkWorkspace(workspace, runCheck, call.signal)
      if (!report.ok) {
        return { ok: false, code: 'check_failed', text: `check_failed: ${describeReport(report)}`, report }
      }
      return answered(async () => {
        const { url, state } = await ship(call)
        return done(url === null ? `Shipped; the state is ${state}.` : `Shipped: ${url} (${state}).`)
      })
    },
  })
}

/** A refusal of another part of the service is something the model can read and react to. */
async function answered(act: () => Promise<ToolOutcome>): Promise<ToolOutcome> {
  try {
    return await act()
  } catch (error) {
    if (error instanceof ApiError || error instanceof ProviderError)
      return failed('not_allowed', error.message)
    throw error
  }
}
