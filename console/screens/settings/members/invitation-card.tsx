import { useMutation, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { queryKeys } from '../../../api/query-keys.ts'
import { removeFromList } from '../../../api/request/remove-from-list.ts'
import {
  cancelInvitation,
  type PendingInvitation,
  resendInvitation,
  type Role,
} from '../../../api/organization/members.ts'
import { href } from '../../../routes.ts'
import { notify } from '../../../shell/toasts/toasts.ts'
import { membersText } from '../../../text/members.en.ts'
import { CopyButton } from '../../../ui/controls/copy-button.tsx'
import { FailureNote } from '../../../ui/page/failure.tsx'
import { ReasonButton } from '../../../ui/controls/reason-button.tsx'
import { StateDot } from '../../../ui/page/state-dot.tsx'
import { RelativeTime } from '../../../ui/format/time.tsx'
import { Card } from '../card-list.tsx'
import { rolesToGive, manageRefusal } from './rights.ts'

const Confirm = lazy(() =>
  import('../../../ui/dialogs/confirm.tsx').then((module) => ({ default: module.Confirm })),
)
const invitationsText = membersText.invitations

/** One open invitation with its link, which works whether or not there is a mail server. */
export function InvitationCard(props: { invitation: PendingInvitation; inviter: string | null; role: Role }) {
  const { invitation, inviter, role } = props
  const client = useQueryClient()
  const [isCancelling, setCancelling] = useState(false)
  const reread = () => client.invalidateQueries({ queryKey: queryKeys.members.invitations })
  const resend = useMutation({
    mutationFn: () => resendInvitation(invitation),
    onSuccess: async () => {
      // Notify first: resending an expired invitation replaces it, so the refetch unmounts this card.
      notify(invitationsText.resent(invitation.email))
      await reread()
    },
  })
  const cancel = useMutation({
    mutationFn: () => cancelInvitation(invitation.id),
    onSuccess: () => removeFromList(client, queryKeys.members.invitations, invitation.id),
  })
  const isExpired = new Date(invitation.expiresAt) <= new Date()
  const mayGive = rolesToGive(role).includes(invitation.role)
  const reason = manageRefusal(role)
  return (
    <Card>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2.5">
        <div className="min-w-0 flex-1 basis-56">
          <h3 title={invitation.email} className="truncate font-medium text-kumo-strong">
            {invitation.email}
          </h3>
          <p className="text-[13px] break-words text-kumo-subtle">
            {membersText.roles[invitation.role]} · {inviter && `${invitationsText.by(inviter)} · `}
            {isExpired ? (
              <span className="text-kumo-default">
                <StateDot tone="ask">{invitationsText.expired}</StateDot>
              </span>
            ) : (
              <>
                {invitationsText.expires} <RelativeTime at={invitation.expiresAt} />
              </>
            )}
          </p>
        </div>
        <div className="flex flex-wrap items-center gap-2">
          {!isExpired && (
            <CopyButton
              value={location.origin + href.invitation(invitation.id)}
              label={invitationsText.copyOf(invitation.email)}
              words={invitationsText.copy}
            />
          )}
          <ReasonButton
            size="sm"
            reason={reason ?? (mayGive ? null : membersText.ownersChangeOwners)}
            loading={resend.isPending}
            onClick={() => resend.mutate()}
          >
            {isExpired ? invitationsText.again : invitationsText.resend}
          </ReasonButton>
          <ReasonButton size="sm" variant="ghost" reason={reason} onClick={() => setCancelling(true)}>
            {invitationsText.cancel}
          </ReasonButton>
        </div>
      </div>
      {resend.isError && (
        <div className="mt-3">
          <FailureNote error={resend.error} />
        </div>
      )}
      {isCancelling && (
        <Suspense fallback={null}>
          <Confirm
            title={invitationsText.cancelTitle(invitation.email)}
            consequence={invitationsText.cancelConsequence}
            submit={invitationsText.cancel}
            keep={invitationsText.keep}
            busy={cancel.isPending}
            error={cancel.error}
            onConfirm={() => cancel.mutate()}
            onClose={() => setCancelling(false)}
          />
        </Suspense>
      )}
    </Card>
  )
}
