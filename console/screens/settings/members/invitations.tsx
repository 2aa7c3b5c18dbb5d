import { EnvelopeSimpleIcon } from '@phosphor-icons/react'
import { useQuery } from '@tanstack/react-query'
import { type Member, pendingInvitationsQuery, type Role } from '../../../api/organization/members.ts'
import { membersText } from '../../../text/members.en.ts'
import { LoadFailure } from '../../../ui/page/failure.tsx'
import { CardList, CardSkeleton } from '../card-list.tsx'
import { InvitationCard } from './invitation-card.tsx'

export function Invitations({ members, role }: { members: Member[]; role: Role }) {
  const invitations = useQuery(pendingInvitationsQuery())
  const nameOf = (userId: string) => {
    const user = members.find((member) => member.userId === userId)?.user
    return user === undefined ? null : user.name || user.email
  }
  return (
    <section aria-labelledby="invitations" className="mt-8">
      <h2 id="invitations" className="mb-3 text-[15px] font-semibold text-kumo-strong">
        {membersText.invitations.title}
      </h2>
      {invitations.isPending && <CardSkeleton />}
      <LoadFailure query={invitations} />
      {invitations.data?.length === 0 && (
        <p className="flex items-center gap-2.5 rounded-xl px-4 py-3 text-kumo-subtle ring-1 ring-kumo-line">
          <EnvelopeSimpleIcon className="size-[18px] shrink-0" aria-hidden="true" />
          {membersText.invitations.none}
        </p>
      )}
      {invitations.data && invitations.data.length > 0 && (
        <CardList>
          {invitations.data.map((invitation) => (
            <InvitationCard
              key={invitation.id}
              invitation={invitation}
              inviter={nameOf(invitation.inviterId)}
              role={role}
            />
          ))}
        </CardList>
      )}
    </section>
  )
}
