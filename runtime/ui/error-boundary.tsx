import { Component, type ReactNode } from 'react'
import { Button } from './button.tsx'
import { EmptyState } from './empty-state.tsx'

/** Keeps an error in one component from removing the whole app. */
export class ErrorBoundary extends Component<{ children: ReactNode }, { error: Error | null }> {
  override state: { error: Error | null } = { error: null }

  static getDerivedStateFromError(error: unknown) {
    return { error: error instanceof Error ? error : new Error(String(error)) }
  }

  override render(): ReactNode {
    if (this.state.error === null) return this.props.children
    return (
      <div role="alert">
        <EmptyState
          icon="alert"
          title="This part of the app stopped working"
          action={
            <Button kind="primary" onClick={() => this.setState({ error: null })}>
              Show it again
            </Button>
          }
        >
          Your records are safe. If it happens again, tell the people who run this app: “
          {this.state.error.message}”.
        </EmptyState>
      </div>
    )
  }
}
