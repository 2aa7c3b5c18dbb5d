import { type ComponentType, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { ErrorBoundary } from './error-boundary.tsx'
import { ToastRegion } from './toast.tsx'
import { reportPageErrors } from '../web/page-errors.ts'

export function startApp(App: ComponentType): void {
  const root = document.getElementById('root')
  if (root === null) throw new Error('web/index.html needs an element with id="root"')
  reportPageErrors()
  // Errors that the error boundary catches are bugs, too, so report them in the same way as uncaught errors.
  createRoot(root, { onCaughtError: (error) => reportError(error) }).render(
    <StrictMode>
      <ErrorBoundary>
        <App />
      </ErrorBoundary>
      <ToastRegion />
    </StrictMode>,
  )
}
