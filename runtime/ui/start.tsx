import { type ComponentType, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { ErrorBoundary } from './error-boundary.tsx'
import { ToastRegion } from './toast.tsx'
import { reportPageErrors } from '../web/page-errors.ts'

export function startApp(App: ComponentType): void {
  const root = document.getElementById('root')
  if (root === null) throw new Error('web/index.html needs an element with id="root"')
  reportPageErrors()
  // Report errors that the error boundary catches like uncaught ones, because they are bugs, too.
  createRoot(root, { onCaughtError: (error) => reportError(error) }).render(
    <StrictMode>
      <ErrorBoundary>
        <App />
      </ErrorBoundary>
      <ToastRegion />
    </StrictMode>,
  )
}
