import { PlusIcon } from '@phosphor-icons/react'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { type Member, membersQuery } from '../../../api/organization/members.ts'
import { meQuery } from '../../../api/account/session.ts'
import { membersText } from '../../../text/members.en.ts'
import { LoadFailure } from '../../../ui/page/failure.tsx'
import { ReasonButton } from '../../../ui/controls/reason-button.tsx'
import { CardSkeleton } from '../card-list.tsx'
import { SettingsHeader } from '../settings-header.tsx'
import { Invitations } from './invitations.tsx'
import { MemberList } from './member-list.tsx'
import { type Viewer, manageRefusal } from './rights.ts'

const InviteDialog = lazy(() =>
  import('./invite-dialog.tsx').then((module) => ({ default: module.InviteDialog })),
)

export function Members() {
  const me = useQuery(meQuery()).data
  const members = useQuery(membersQuery())
  const [isInviting, setInviting] = useState(false)
  const role = me?.role ?? 'member'
  const reason = manageRefusal(role)
  const viewer: Viewer = { userId: me?.user?.id ?? '', role, owners: ownersIn(members.data ?? []) }
  return (
    <>
      <SettingsHeader
        title={membersText.title}
        lead={membersText.lead}
        action={
          <ReasonButton
            variant="primary"
            icon={<PlusIcon />}
            reason={reason}
            onClick={() => setInviting(true)}
          >
            {membersText.invite}
          </ReasonButton>
        }
      />
      {reason && <p className="mb-4 text-[13px] text-kumo-subtle">{reason}</p>}
      {members.isPending && <CardSkeleton />}
      <LoadFailure query={members} />
      {members.data && (
        <>
          <MemberList members={members.data} viewer={viewer} />
          <Invitations members={members.data} role={role} />
        </>
      )}
      {isInviting && (
        <Suspense fallback={null}>
          <InviteDialog role={role} onClose={() => setInviting(false)} />
        </Suspense>
      )}
    </>
  )
}

const ownersIn = (members: Member[]) => members.filter(({ role }) => role === 'owner').length
