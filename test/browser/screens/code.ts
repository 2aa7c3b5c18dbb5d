import type { Page } from 'playwright-core'
import { href } from '../../../console/routes.ts'
import { type Screen, seen } from './screen.ts'

const codeIsShown = (page: Page) => page.locator('.cm-line').first().waitFor()

export const codeScreens = (projectId: string): Screen[] => [
  {
    name: 'code',
    path: href.code(projectId),
    ready: (page) => page.getByRole('treeitem', { name: 'app.json' }).waitFor(),
  },
  {
    name: 'code-file',
    path: href.code(projectId, { path: 'app.json' }, 'L5-L8'),
    ready: (page) => page.locator('.cm-shown-line').first().waitFor(),
  },
  {
    name: 'code-gone',
    path: href.code(projectId, { path: 'pages/Nowhere.tsx' }),
    ready: seen('heading', 'pages/Nowhere.tsx is not in this version'),
  },
  { name: 'versions', path: href.versions(projectId), ready: seen('button', 'Back up now') },
  {
    name: 'version',
    path: href.versions(projectId),
    ready: async (page) => {
      await page.getByRole('list', { name: 'Versions, newest first' }).getByRole('link').first().click()
      await codeIsShown(page)
    },
  },
  {
    name: 'project-settings',
    path: href.projectSettings(projectId),
    ready: seen('heading', 'Name and address'),
  },
  {
    name: 'version-unknown',
    path: href.versions(projectId, { sha: 'ffffffff' }),
    ready: seen('heading', 'This version does not exist'),
  },
]
