import { type ComponentType, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { ErrorBoundary } from '../ui/error-boundary.tsx'
import { ToastRegion } from '../ui/toast.tsx'
import { reportPageErrors } from './page-errors.ts'

/** Renders the app into `#root`. */
export function startApp(App: ComponentType): void {
  const root = document.getElementById('root')
  if (root === null) throw new Error('web/index.html needs an element with id="root"')
  reportPageErrors()
  // What the error boundary catches is an uncaught error to everyone who has to mend it.
  createRoot(root, { onCaughtError: (error) => reportError(error) }).render(
    <StrictMode>
      <ErrorBoundary>
        <App />
      </ErrorBoundary>
      <ToastRegion />
    </StrictMode>,
  )
}
