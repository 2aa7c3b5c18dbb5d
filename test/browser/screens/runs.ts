import { href } from '../../../console/routes.ts'
import { type Screen, seen } from './screen.ts'

export const runScreens = (projectId: string, runId: string): Screen[] => [
  {
    name: 'runs',
    path: href.runs(projectId),
    ready: (page) => page.getByRole('link', { name: /Track the plants/ }).waitFor(),
  },
  {
    name: 'runs-tokens',
    path: href.runs(projectId, 'tokens'),
    ready: (page) => page.getByRole('table', { name: 'Tokens by model' }).waitFor(),
  },
  {
    name: 'runs-history',
    path: href.runs(projectId, 'history'),
    ready: (page) => page.getByRole('link', { name: 'Open this build' }).first().waitFor(),
  },
  { name: 'run', path: href.run(projectId, runId), ready: seen('heading', 'Build log') },
  {
    name: 'run-not-found',
    reports: /404/,
    path: href.run(projectId, 'run_unknown'),
    ready: seen('heading', 'Not found'),
  },
]
