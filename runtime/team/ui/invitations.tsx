import { useState } from 'react'
import { actionProblem, useAction } from '../../web/use-action.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Select } from '../../ui/fields/choice-fields.tsx'
import { TextField } from '../../ui/fields/fields.tsx'
import { Notice } from '../../ui/notice.tsx'
import { showToast } from '../../ui/toast.tsx'
import { copyText } from '../../web/text-out.ts'
import type { TeamRole } from '../../types.gen.ts'
import { team } from '../client.ts'
import type { NewInvite, TeamDetails, TeamInvite } from '../types.ts'
import { roleLabel } from './role-word.ts'

export function Invitations(props: { details: TeamDetails; onChange: () => Promise<void> }) {
  const { details, onChange } = props
  const { id } = details.team
  const [email, setEmail] = useState('')
  const [role, setRole] = useState<TeamRole>('member')
  const [made, setMade] = useState<NewInvite | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const form = useAction(async () => {
    setProblem(null)
    setMade(await team.invite(id, { role, ...(email.trim() !== '' && { email: email.trim() }) }))
    setEmail('')
    await onChange()
  })
  const revokeInvite = async (invite: TeamInvite) => {
    setProblem(null)
    try {
      await team.revokeInvite(id, invite.id)
      if (made?.id === invite.id) setMade(null)
      showToast('Invitation revoked')
    } catch (error) {
      setProblem(actionProblem(error).text)
    }
    await onChange()
  }
  const shown = problem ?? (form.problem?.field === 'email' ? null : form.problem?.text) ?? null
  return (
    <Card title="Invite people">
      {shown !== null && <Notice>{shown}</Notice>}
      <form className="form form-narrow" noValidate onSubmit={form.onSubmit}>
        <TextField
          label="Email"
          kind="email"
          hint="With an address only that person can use the link. Without one, the first who opens it."
          autoComplete="off"
          value={email}
          onChange={setEmail}
          error={form.problem?.field === 'email' ? form.problem.text : null}
        />
        <Select
          label="Role"
          value={role}
          onChange={(next) => setRole(details.roles.find((one) => one === next) ?? 'member')}
          options={details.roles.map((value) => ({ value, label: roleLabel(value) }))}
        />
        <div className="form-actions">
          <Button type="submit" busy={form.busy}>
            Make link
          </Button>
        </div>
      </form>
      {made !== null && <NewLink invite={made} />}
      {details.invites.length > 0 && (
        <>
          <h3>Open invitations</h3>
          <ul className="rows">
            {details.invites.map((invite) => (
              <li key={invite.id} className="row">
                <span>
                  {invite.email ?? 'Whoever has the link'}
                  <span className="row-note">
                    {roleLabel(invite.role)}, until {new Date(invite.expiresAt).toLocaleDateString()}
                  </span>
                </span>
                <Button
                  aria-label={`Revoke the invitation of ${invite.email ?? 'whoever has the link'}`}
                  onClick={() => void revokeInvite(invite)}
                >
                  Revoke
                </Button>
              </li>
            ))}
          </ul>
        </>
      )}
    </Card>
  )
}

function NewLink({ invite }: { invite: NewInvite }) {
  const copyLink = async () => {
    try {
      await copyText(invite.url)
      showToast('Link copied')
    } catch {
      showToast('The link was not copied. Select it and copy it yourself.', 'failed')
    }
  }
  return (
    <div className="made-link" role="status">
      <p>Send this link. It is shown only now, and lets in one person.</p>
      <code>{invite.url}</code>
      <Button onClick={() => void copyLink()}>Copy link</Button>
    </div>
  )
}
