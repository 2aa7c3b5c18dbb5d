import { useEffect, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Notice } from '../../ui/notice.tsx'
import { showToast } from '../../ui/toast.tsx'
import { auth } from '../client.ts'
import type { Passkey } from '../types.ts'
import { deviceName } from './device-name.ts'
import { actionProblem, useAction } from '../../web/use-action.ts'
import { useLatest } from '../../web/use-latest.ts'

export function Passkeys() {
  const [passkeys, setPasskeys] = useState<Passkey[]>([])
  const [problem, setProblem] = useState<string | null>(null)
  const showProblem = (error: unknown) => setProblem(actionProblem(error).text)
  const load = useLatest(() => auth.passkeys.list(), setPasskeys)
  useEffect(() => void load().catch(showProblem), [])
  const runChange = async (work: () => Promise<unknown>, done: string) => {
    setProblem(null)
    try {
      await work()
      await load()
      showToast(done)
    } catch (error) {
      showProblem(error)
    }
  }
  const adding = useAction(() =>
    runChange(() => auth.passkeys.add(deviceName(navigator.userAgent)), 'Passkey added'),
  )
  return (
    <Card title="Passkeys">
      {problem !== null && <Notice>{problem}</Notice>}
      <ul className="rows">
        {passkeys.map((passkey) => (
          <li key={passkey.id} className="row">
            <span>
              {passkey.name}
              <span className="row-note">
                {passkey.lastUsedAt === null
                  ? 'Not used yet'
                  : `Last used ${new Date(passkey.lastUsedAt).toLocaleString()}`}
              </span>
            </span>
            <Button
              aria-label={`Remove the passkey ${passkey.name}`}
              onClick={() =>
                void runChange(() => auth.passkeys.remove(passkey.id), `${passkey.name} is removed`)
              }
            >
              Remove
            </Button>
          </li>
        ))}
      </ul>
      <div className="form-actions">
        <Button busy={adding.busy} onClick={adding.run}>
          Add a passkey
        </Button>
      </div>
    </Card>
  )
}
