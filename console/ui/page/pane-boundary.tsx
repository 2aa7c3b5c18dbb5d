import { Component, type ReactNode } from 'react'
import { recentFailures } from '../../api/request/failure-ring.ts'
import { text } from '../../text/en.ts'
import { CopyButton } from '../controls/copy-button.tsx'
import { Button } from '../controls/button.tsx'

/** An error boundary for one pane, so that the other panes keep working. */
export class PaneBoundary extends Component<{ children: ReactNode }, { error: Error | null }> {
  override state: { error: Error | null } = { error: null }

  static getDerivedStateFromError(error: Error): { error: Error } {
    return { error }
  }

  override render(): ReactNode {
    const { error } = this.state
    if (!error) return this.props.children
    return (
      <div
        role="alert"
        className="m-4 space-y-3 rounded-lg bg-kumo-danger-tint p-4 ring-1 ring-kumo-danger/25"
      >
        <p className="font-medium text-kumo-strong">{text.failure.paneTitle}</p>
        <p className="text-sm break-words text-kumo-subtle">{error.message}</p>
        <p className="flex items-center gap-2">
          <Button size="sm" onClick={() => this.setState({ error: null })}>
            {text.failure.reloadPane}
          </Button>
          <CopyButton value={errorDetails(error)} label={text.failure.copyDetails} />
        </p>
      </div>
    )
  }
}

/** Details for a help request: the path, the error, and the last failed API requests. */
function errorDetails(error: Error): string {
  const calls = recentFailures().map((call) => JSON.stringify(call))
  return [location.pathname, error.message, error.stack ?? '', ...calls].join('\n')
}
