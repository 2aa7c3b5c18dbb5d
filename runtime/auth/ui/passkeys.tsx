import { useEffect, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Notice } from '../../ui/notice.tsx'
import { showToast } from '../../ui/toast.tsx'
import { auth } from '../client.ts'
import type { Passkey } from '../types.ts'
import { deviceName } from './device-name.ts'
import { actionProblem, useAction } from '../../web/use-action.ts'

export function Passkeys() {
  const [passkeys, setPasskeys] = useState<Passkey[]>([])
  const load = async () => setPasskeys(await auth.passkeys.list())
  const adding = useAction(async () => {
    await auth.passkeys.add(deviceName(navigator.userAgent))
    await load()
    showToast('Passkey added')
  })
  const [problem, setProblem] = useState<string | null>(null)
  const removePasskey = async (passkey: Passkey) => {
    setProblem(null)
    try {
      await auth.passkeys.remove(passkey.id)
      await load()
      showToast(`${passkey.name} is removed`)
    } catch (error) {
      setProblem(actionProblem(error).text)
    }
  }
  useEffect(() => void load().catch(() => {}), [])
  const shown = adding.problem?.text ?? problem
  return (
    <Card title="Passkeys">
      {shown !== null && <Notice>{shown}</Notice>}
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
              onClick={() => void removePasskey(passkey)}
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
