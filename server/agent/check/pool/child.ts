import { locateStacks } from '../../bundle/bundle.ts'
import { serveJobs } from '../../children/serve.ts'
import { WarmBrowser } from '../browser/browser.ts'
import type { CheckJobs } from '../protocol.ts'
import { runBundle, runCheck } from '../run.ts'
import { warmSandbox } from '../sandbox/sandbox.ts'
import { wasStopped } from '../program.ts'
import { TreeFolder } from '../folder.ts'
import { TypeServer } from '../types/type-server.ts'

const appFolder = process.argv[2] ?? process.cwd()
const treeFolder = new TreeFolder(appFolder)
const typeServer = new TypeServer(appFolder)
const warmBrowsers = new Map<string, WarmBrowser>()

/** Returns the browser with this path. A process has one browser per path, which starts when the first check uses it. */
function browserAt(path: string): WarmBrowser {
  const browser = warmBrowsers.get(path) ?? new WarmBrowser(path)
  warmBrowsers.set(path, browser)
  return browser
}

void warmSandbox()

serveJobs<CheckJobs>(
  {
    check: (job) =>
      runCheck(
        {
          folder: appFolder,
          written: treeFolder,
          types: typeServer,
          browser: job.browser === null ? null : browserAt(job.browser),
        },
        job,
      ),
    bundle: ({ tree, packages }) => runBundle(tree, packages),
    locateStacks: ({ tree, packages, stacks }) => locateStacks(tree, packages, stacks),
  },
  { folder: appFolder, mustRetire: ({ kind, ok }) => wasStopped() || (kind === 'check' && !ok) },
)
