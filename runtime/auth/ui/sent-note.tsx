import type { SentMessage } from '../types.ts'

/** A preview sends no messages, so it shows the message here. */
export function SentNote({ sent, children }: { sent: SentMessage; children: string }) {
  return (
    <div className="notice notice-warn" role="status">
      <div>
        <p>{children}</p>
        {sent.preview !== undefined && (
          <p>This is a preview, so the message is shown here: {sent.preview.text}</p>
        )}
      </div>
    </div>
  )
}
