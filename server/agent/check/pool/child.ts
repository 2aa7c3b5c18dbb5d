import { serveJobs } from '../../children/serve.ts'
import { WarmBrowser } from '../browser/browser.ts'
import type { CheckJobs } from './protocol.ts'
import { runBundle, runCheck } from '../run.ts'
import { warmSandbox } from '../sandbox/sandbox.ts'
import { wasStopped } from '../program.ts'
import { TreeFolder } from './folder.ts'
import { TypeServer } from '../types/type-server.ts'

const folder = process.argv[2] ?? process.cwd()
const written = new TreeFolder(folder)
const types = new TypeServer(folder)
const browsers = new Map<string, WarmBrowser>()

/** One browser per path and process; it starts when a check first names it. */
function browserAt(path: string): WarmBrowser {
  const browser = browsers.get(path) ?? new WarmBrowser(path)
  browsers.set(path, browser)
  return browser
}

void warmSandbox()

serveJobs<CheckJobs>(
  {
    check: (job) =>
      runCheck(
        { folder, written, types, browser: job.browser === null ? null : browserAt(job.browser) },
        job,
      ),
    bundle: ({ tree, packages }) => runBundle(tree, packages),
  },
  { folder, mustRetire: ({ kind, ok }) => wasStopped() || (kind === 'check' && !ok) },
)
