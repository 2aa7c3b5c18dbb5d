import { CSPProvider } from '@cloudflare/kumo/primitives/csp-provider'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import './app.css'
import { onAccessLost, queryClient } from './api/request/query-client.ts'
import { onSessionEnd } from './api/request/signed-in.ts'
import { afterFirstView, watchFirstView } from './first-view.ts'
import { loadDeferred } from './deferred.ts'
import { router } from './router.ts'
import { href } from './routes.ts'
import { routeLinks } from './shell/links.ts'
import { followSystemTheme } from './shell/theme.ts'
import { styleNonce } from './ui/code/style-nonce.ts'

const nonce = styleNonce()
const rootElement = document.getElementById('root')
if (!rootElement) throw new Error('index.html has no #root')

// Tells the page before the console that the scripts were loaded (index.html).
document.documentElement.dataset.load = 'started'
followSystemTheme()
watchFirstView((listener) => router.subscribe('onRendered', listener))
// Loads the styles and tooltips of other screens. A screen that needs them earlier loads them itself (router/screen.ts).
void afterFirstView()
  .then(loadDeferred)
  .catch(() => {})
routeLinks((path) => router.history.push(path))
onAccessLost({
  // The sign-in page gets the current URL, so that the user returns here. Unsent input is stored as a draft.
  leave: () => router.history.push(href.signIn(location.pathname + location.search)),
  enterAgain: () => void router.invalidate(),
})
onSessionEnd(async () => (await import('./screens/sign-in/sign-in-again.tsx')).askToSignIn())

createRoot(rootElement).render(
  <StrictMode>
    <CSPProvider {...(nonce ? { nonce } : {})}>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </CSPProvider>
  </StrictMode>,
)
