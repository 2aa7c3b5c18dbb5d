import * as z from 'zod'
import type { Workspace } from '../../agent/tools/workspace.ts'
import { CURATED_LIST, CURATED_PACKAGES, type CuratedPackage } from '../../agent/packages/curated.ts'
import {
  PACKAGES_FILE,
  PackageName,
  readPackagesFile,
  writePackagesFile,
} from '../../agent/source/packages-file.ts'
import type { Packages } from '../../agent/packages/packages.ts'
import { PackageRefusal } from '../../agent/packages/resolve.ts'
import {
  type AgentTool,
  type ToolOutcome,
  agentTool,
  toolSuccess,
  toolFailure,
} from '../../agent/tools/tool.ts'
import { countAllLines } from '../../agent/text/line-counts.ts'

const PACKAGE_TOOL_MS_MAX = 180_000

/** The tool that finds, adds and removes npm packages. The model finds packages with this tool, so the prompt need not list them. */
export function packageTool(
  workspace: Workspace,
  options: { packages: Packages; owner: string; mayUseAny: () => Promise<boolean> },
): AgentTool {
  return agentTool({
    name: 'packages',
    description:
      'npm packages of the app: `find` lists those that can be added (charts, drag and drop, editor, map, PDF ...; "" lists all), `add` adds one ("recharts" or "recharts@3.1.0"), `remove` removes one.',
    input: z.object({
      find: z.string().max(100).optional(),
      add: z.string().max(250).optional(),
      remove: z.string().max(250).optional(),
    }),
    timeoutMs: PACKAGE_TOOL_MS_MAX,
    isRepeatable: true,
    run: async ({ find, add, remove }, { signal }) => {
      if ([find, add, remove].filter((one) => one !== undefined).length !== 1)
        return toolFailure('invalid_arguments', 'give exactly one of find, add and remove')
      if (find !== undefined) return toolSuccess(await listPackages(workspace, find, options.mayUseAny))
      const file = readPackagesFile(workspace.tree)
      if (file === null)
        return toolFailure('not_allowed', `${PACKAGES_FILE} is damaged; restore an earlier version`)
      if (remove !== undefined) {
        if (!Object.hasOwn(file.packages, remove))
          return toolFailure('not_found', `the app has no package ${remove}`)
        return changePackages(
          workspace,
          writePackagesFile(options.packages.remove(file, remove)),
          `Removed ${remove}.`,
        )
      }
      const [, name = '', range] = /^(@?[^@]+)(?:@(.+))?$/.exec(add ?? '') ?? []
      if (!PackageName.safeParse(name).success)
        return toolFailure('invalid_arguments', `${name || 'this'} is not the name of a package`)
      if (Object.hasOwn(file.packages, name))
        return toolFailure(
          'unchanged',
          `the app has ${name} ${file.packages[name]}; remove it first to change its version`,
        )
      try {
        const asked = { name, ...(range !== undefined && { range }), mayUseAny: await options.mayUseAny() }
        const added = await options.packages.add(file, asked, { owner: options.owner, signal })
        const text = `Added ${name} ${added.packages[name]}.${adviceFor(name)}`
        return changePackages(workspace, writePackagesFile(added), text)
      } catch (error) {
        if (error instanceof PackageRefusal) return toolFailure('not_allowed', error.message)
        throw error
      }
    },
  })
}

function changePackages(workspace: Workspace, text: string, result: string): ToolOutcome {
  const before = workspace.tree.get(PACKAGES_FILE)
  workspace.set(PACKAGES_FILE, text)
  const op = before === undefined ? 'write' : 'edit'
  const sums = countAllLines(before ?? '', text)
  return {
    ok: true,
    text: result,
    change: {
      path: PACKAGES_FILE,
      op,
      bytes: Buffer.byteLength(text),
      added: sums.added,
      removed: sums.removed,
    },
  }
}

async function listPackages(
  workspace: Workspace,
  find: string,
  mayUseAny: () => Promise<boolean>,
): Promise<string> {
  const words = find.toLowerCase().split(/\s+/).filter(Boolean)
  const fitting = CURATED_PACKAGES.filter(({ name, purpose }) =>
    words.every((word) => `${name} ${purpose}`.toLowerCase().includes(word)),
  )
  // When no package matches the search, list all of them.
  const shown = fitting.length === 0 ? CURATED_PACKAGES : fitting
  const own = Object.entries(readPackagesFile(workspace.tree)?.packages ?? {})
  return [
    own.length === 0
      ? 'The app has added no package.'
      : `The app has ${own.map((one) => one.join(' ')).join(', ')}.`,
    ...shown.map(packageLine),
    (await mayUseAny())
      ? 'Any other package of the registry can be added by its name too.'
      : 'Other packages cannot be added: the organization does not allow it.',
  ].join('\n')
}

const packageLine = ({ name, purpose, where }: CuratedPackage): string =>
  `- ${name} ${CURATED_LIST.packages[name]} (${where === 'both' ? 'web and server' : 'web'}, at most ${CURATED_LIST.kilobytes[name]} kB): ${purpose}`

function adviceFor(name: string): string {
  const heavy = `\nIt is large: load the component that uses it with lazy(() => import('../components/…')) inside <Suspense>.`
  return CURATED_PACKAGES.some((one) => one.name === name && one.isHeavy === true) ? heavy : ''
}
