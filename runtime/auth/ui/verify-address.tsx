import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Notice } from '../../ui/notice.tsx'
import { showToast } from '../../ui/toast.tsx'
import { auth } from '../client.ts'
import type { User, SentMessage } from '../types.ts'
import { CodeForm } from './code-form.tsx'
import { useAction } from '../../web/use-action.ts'

export function VerifyAddress({ user }: { user: User }) {
  const [sent, setSent] = useState<SentMessage | null>(null)
  const form = useAction(async () => setSent(await auth.verify.send()))
  return (
    <Card title="Confirm your address">
      {sent === null ? (
        <>
          <p className="row-note">{`You have not confirmed ${user.email} yet.`}</p>
          {form.problem !== null && <Notice>{form.problem.text}</Notice>}
          <div className="form-actions">
            <Button kind="primary" busy={form.busy} onClick={form.run}>
              Send a code
            </Button>
          </div>
        </>
      ) : (
        <CodeForm
          sent={sent}
          note={`A code is on its way to ${user.email}. It works for 10 minutes.`}
          submitLabel="Confirm address"
          onCode={async (code) => {
            await auth.verify.confirm(code)
            showToast('Address confirmed')
          }}
          onBack={() => setSent(null)}
        />
      )}
    </Card>
  )
}
