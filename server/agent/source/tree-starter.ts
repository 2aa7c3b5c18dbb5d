import type { AppTree } from './tree.ts'

const INDEX = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <title>%APP_NAME%</title>
    <link rel="icon" href="/icon.svg" type="image/svg+xml" />
  </head>
  <body>
    <div id="root"></div>
    <script type="module" src="/main.tsx"></script>
  </body>
</html>
`

const MAIN = `import { startApp } from '@slipway/app/react'
import { App } from './App'
import './styles.css'

startApp(App)
`

const APP = `import { AppShell, Pages } from '@slipway/app/react'

export function App() {
  return (
    <AppShell>
      <Pages />
    </AppShell>
  )
}
`

const STYLES = `/* Your own styles. Colours, spaces and sizes come as tokens: var(--color-accent), var(--space-4), ... */
`

const HOME = `import { EmptyState, Page } from '@slipway/app/react'

export default function Home() {
  return (
    <Page title="Ready to build">
      <EmptyState title="This app is empty so far">
        Describe what it should do in a ticket, and the first build puts it here.
      </EmptyState>
    </Page>
  )
}
`

const ROUTES = `import { Hono } from 'hono'

export const routes = new Hono()
`

const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">
  <rect width="32" height="32" rx="8" fill="#3457d5" />
  <path d="M9 21.5 16 9l7 12.5z" fill="none" stroke="#fff" stroke-width="2.6" stroke-linejoin="round" />
</svg>
`

/** The agent-owned files a new app begins with; committed only with its first green build. */
export function starterTree(name: string): AppTree {
  const shown = name.trim().slice(0, 60) || 'New app'
  const manifest = { slipway: 1, name: shown, pages: [{ path: '/', file: 'Home.tsx', title: 'Home' }] }
  return new Map([
    ['app.json', `${JSON.stringify(manifest, null, 2)}\n`],
    ['public/icon.svg', ICON],
    ['server/routes.ts', ROUTES],
    ['web/App.tsx', APP],
    ['web/index.html', INDEX],
    ['web/main.tsx', MAIN],
    ['web/pages/Home.tsx', HOME],
    ['web/styles.css', STYLES],
  ])
}
