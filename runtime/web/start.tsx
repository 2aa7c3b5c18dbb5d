import { type ComponentType, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { ErrorBoundary } from '../ui/error-boundary.tsx'
import { ToastRegion } from '../ui/toast.tsx'

/** Renders the app into `#root`. */
export function startApp(App: ComponentType): void {
  const root = document.getElementById('root')
  if (root === null) throw new Error('web/index.html needs an element with id="root"')
  createRoot(root).render(
    <StrictMode>
      <ErrorBoundary>
        <App />
      </ErrorBoundary>
      <ToastRegion />
    </StrictMode>,
  )
}
