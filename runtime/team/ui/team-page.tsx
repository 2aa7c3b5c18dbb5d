import { useCallback, useEffect, useRef, useState } from 'react'
import { actionProblem, useAction } from '../../web/use-action.ts'
import { ApiError } from '../../kernel/errors.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { TextField } from '../../ui/fields/fields.tsx'
import { NameCard } from '../../ui/name-card.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { showToast } from '../../ui/toast.tsx'
import { navigate } from '../../web/navigation.tsx'
import type { TeamRole } from '../../types.gen.ts'
import { team } from '../client.ts'
import { teamDetails } from '../team-details.ts'
import type { TeamDetails, TeamMember } from '../types.ts'
import { Invitations } from './invitations.tsx'
import { roleLabel } from './role-word.ts'
import { TEAMS_PATH } from '../../auth/invite-token.ts'

const BACK_LINK = { to: TEAMS_PATH, label: 'Teams' }

export function TeamPage({ id, userId }: { id: string; userId: string }) {
  const [details, setDetails] = useState<TeamDetails | null>(null)
  const [failure, setFailure] = useState<unknown>(null)
  const lastRead = useRef(0)
  const load = useCallback(async () => {
    const read = ++lastRead.current
    try {
      const found = await teamDetails(id)
      // A later read has newer details, even if its response arrives first.
      if (read === lastRead.current) setDetails(found)
    } catch (error) {
      if (read !== lastRead.current) return
      // After any other error the team stays on the page.
      if (isMissing(error)) setDetails(null)
      setFailure(error)
    }
  }, [id])
  useEffect(() => {
    void load()
    // Reload when the page gets the focus, because members may have joined or left since.
    window.addEventListener('focus', load)
    return () => window.removeEventListener('focus', load)
  }, [load])
  if (details === null)
    return (
      <Page title="Team" back={BACK_LINK}>
        {failure === null && <Skeleton />}
        {failure !== null && !isMissing(failure) && <Notice>{actionProblem(failure).text}</Notice>}
        {isMissing(failure) && (
          <EmptyState title="You cannot open this team">
            It was removed, or you are not in it any more.
          </EmptyState>
        )}
      </Page>
    )
  const isOwner = details.team.role === 'owner'
  return (
    <Page title={details.team.name} back={BACK_LINK} actions={<Leave id={id} userId={userId} />}>
      <Members details={details} userId={userId} onChange={load} />
      {isOwner && <Invitations details={details} onChange={load} />}
      {isOwner && <Rename key={details.team.name} id={id} name={details.team.name} onChange={load} />}
      {isOwner && <Remove id={id} name={details.team.name} />}
    </Page>
  )
}

const isMissing = (error: unknown) => error instanceof ApiError && error.code === 'not_found'

interface PartProps {
  details: TeamDetails
  onChange: () => Promise<void>
}

function Members({ details, userId, onChange }: PartProps & { userId: string }) {
  const { id, role: ownRole } = details.team
  const [problem, setProblem] = useState<string | null>(null)
  const runChange = async (work: () => Promise<void>, done: string) => {
    setProblem(null)
    try {
      await work()
      showToast(done)
    } catch (error) {
      setProblem(actionProblem(error).text)
    }
    await onChange()
  }
  return (
    <Card title="Members">
      {problem !== null && <Notice>{problem}</Notice>}
      <ul className="rows">
        {details.members.map((member) => (
          <li key={member.userId} className="row">
            <span>
              {member.name}
              <span className="row-note">
                {member.userId === userId ? 'You' : `Since ${new Date(member.joinedAt).toLocaleDateString()}`}
              </span>
            </span>
            {ownRole === 'owner' ? (
              <OwnersControls
                member={member}
                roles={details.roles}
                isSelf={member.userId === userId}
                onRole={(role) =>
                  void runChange(
                    () => team.setRole(id, member.userId, role),
                    `${member.name}: ${roleLabel(role)}`,
                  )
                }
                onRemove={() =>
                  void runChange(() => team.remove(id, member.userId), `${member.name} is out of the team`)
                }
              />
            ) : (
              <Badge>{roleLabel(member.role)}</Badge>
            )}
          </li>
        ))}
      </ul>
    </Card>
  )
}

function OwnersControls(props: {
  member: TeamMember
  roles: readonly TeamRole[]
  isSelf: boolean
  onRole: (role: TeamRole) => void
  onRemove: () => void
}) {
  const { member, roles, isSelf, onRole, onRemove } = props
  return (
    <span className="row-controls">
      <select
        className="input select"
        aria-label={`Role of ${member.name}`}
        value={member.role}
        onChange={(event) => {
          const role = roles.find((one) => one === event.target.value)
          if (role !== undefined) onRole(role)
        }}
      >
        {/* A member may still have a role that the app no longer declares. */}
        {[...new Set([...roles, member.role])].map((role) => (
          <option key={role} value={role}>
            {roleLabel(role)}
          </option>
        ))}
      </select>
      {!isSelf && (
        <Button aria-label={`Remove ${member.name}`} onClick={onRemove}>
          Remove
        </Button>
      )}
    </span>
  )
}

function Rename({ id, name, onChange }: { id: string; name: string; onChange: () => Promise<void> }) {
  const saveName = async (next: string) => {
    await team.rename(id, next)
    showToast('Name saved')
    await onChange()
  }
  return <NameCard title="Name" label="Team name" before={name} submit="Save name" save={saveName} />
}

function Leave({ id, userId }: { id: string; userId: string }) {
  const [isOpen, setIsOpen] = useState(false)
  const leaveTeam = async () => {
    await team.remove(id, userId)
    showToast('You are out of the team')
    navigate(TEAMS_PATH, { replace: true })
  }
  return (
    <>
      <Button onClick={() => setIsOpen(true)}>Leave team</Button>
      <ConfirmDialog
        title="Leave this team?"
        open={isOpen}
        onClose={() => setIsOpen(false)}
        onConfirm={leaveTeam}
        confirmLabel="Leave team"
        cancelLabel="Stay"
      >
        You see its records no more. Only a new invitation lets you in again.
      </ConfirmDialog>
    </>
  )
}

interface RemoveProps {
  id: string
  name: string
}

function Remove(props: RemoveProps) {
  const [isOpen, setIsOpen] = useState(false)
  const close = () => setIsOpen(false)
  return (
    <Card title="Remove the team">
      <p>Its records are removed too, for all members. This cannot be undone.</p>
      <div className="form-actions">
        <Button kind="danger" onClick={() => setIsOpen(true)}>
          Remove team
        </Button>
      </div>
      <Dialog title={`Remove ${props.name}?`} open={isOpen} onClose={close}>
        <RemoveForm {...props} onCancel={close} />
      </Dialog>
    </Card>
  )
}

/** Mounted only while the dialog is open, so that the name must be typed each time. */
function RemoveForm({ id, name, onCancel }: RemoveProps & { onCancel: () => void }) {
  const [typed, setTyped] = useState('')
  const removing = useAction(async () => {
    await team.delete(id)
    showToast(`${name} is removed`)
    navigate(TEAMS_PATH, { replace: true })
  })
  return (
    <form className="form form-narrow" noValidate onSubmit={removing.onSubmit}>
      <TextField
        label={`Type ${name} to remove it with all its records`}
        autoComplete="off"
        value={typed}
        onChange={setTyped}
      />
      {removing.problem !== null && <Notice>{removing.problem.text}</Notice>}
      <div className="form-actions">
        <Button type="submit" kind="danger" busy={removing.busy} disabled={typed !== name}>
          Remove team
        </Button>
        <Button onClick={onCancel}>Keep it</Button>
      </div>
    </form>
  )
}
