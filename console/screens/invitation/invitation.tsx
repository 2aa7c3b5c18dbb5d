import { LinkButton } from '@cloudflare/kumo/components/button'
import type { Invitation as Invited } from '@slipway/sdk/client/types.gen.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { visitorQuery } from '../../api/account/auth.ts'
import { acceptInvitation, invitationQuery, rejectInvitation } from '../../api/organization/organizations.ts'
import { isNotFound } from '../../api/request/query-client.ts'
import { href } from '../../routes.ts'
import { leaveConsole } from '../../shell/leave-console.ts'
import { openInOrganization } from '../../shell/organizations/switch-organization.ts'
import { text } from '../../text/en.ts'
import { invitationText as words } from '../../text/invitation.en.ts'
import { Button } from '../../ui/controls/button.tsx'
import { FailureNote } from '../../ui/page/failure.tsx'
import { usePageTitle } from '../../ui/page/page.tsx'
import { EntryHeading } from '../sign-in/entry-form.tsx'
import { describeInvitation, describeRefusal, closedInvitationNote } from './invitation-view.ts'

export function Invitation() {
  const { invitationId } = useParams({ from: '/signed-out/invite/$invitationId' })
  usePageTitle(words.title)
  const invitation = useQuery(invitationQuery(invitationId))
  const visitor = useQuery(visitorQuery())
  if (invitation.isPending || visitor.isPending) return <p role="status">{text.common.loading}</p>
  if (isNotFound(invitation.error)) return <SpentInvitation {...words.unknown} />
  const failed = [invitation, visitor].find(({ isError }) => isError)
  if (failed || !invitation.data)
    return (
      <div className="space-y-5">
        <EntryHeading title={words.title} lead={text.failure.title} />
        <FailureNote error={failed?.error} onRetry={() => void failed?.refetch()} />
      </div>
    )
  const spent = closedInvitationNote(invitation.data.status)
  if (spent) return <SpentInvitation {...spent} />
  const email = visitor.data?.user.email ?? null
  return email === null ? (
    <SignInFirst invitationId={invitationId} invitation={invitation.data} />
  ) : (
    <InvitationOffer invitationId={invitationId} invitation={invitation.data} email={email} />
  )
}

function SpentInvitation(note: { title: string; lead: string }) {
  return (
    <div className="space-y-5">
      <EntryHeading {...note} />
      <LinkButton variant="primary" href={href.home()}>
        {words.toProjects}
      </LinkButton>
    </div>
  )
}

function InvitationHeading({ invitation }: { invitation: Invited }) {
  return (
    <EntryHeading title={words.pending(invitation.organization.name)} lead={describeInvitation(invitation)} />
  )
}

function SignInFirst({ invitationId, invitation }: { invitationId: string; invitation: Invited }) {
  const here = href.invitation(invitationId)
  return (
    <div className="space-y-5">
      <InvitationHeading invitation={invitation} />
      <div className="space-y-2.5">
        <LinkButton variant="primary" size="lg" className="w-full justify-center" href={href.signUp(here)}>
          {words.signUp}
        </LinkButton>
        <LinkButton variant="secondary" size="lg" className="w-full justify-center" href={href.signIn(here)}>
          {words.signIn}
        </LinkButton>
      </div>
      <p className="text-[13px] text-kumo-subtle">{words.afterwards}</p>
    </div>
  )
}

function InvitationOffer(props: { invitationId: string; invitation: Invited; email: string }) {
  const { invitationId, invitation, email } = props
  const client = useQueryClient()
  // The service may have acted even when its response was lost, so read the status of the invitation again.
  const onError = () => client.invalidateQueries({ queryKey: invitationQuery(invitationId).queryKey })
  const accept = useMutation({
    onError,
    mutationFn: async () => {
      const { invitation: joined } = await acceptInvitation(invitationId)
      await openInOrganization(joined.organizationId, href.home())
    },
  })
  const decline = useMutation({ onError, mutationFn: () => rejectInvitation(invitationId) })
  const error = accept.error ?? decline.error
  const refused = describeRefusal(error)
  if (decline.isSuccess) return <EntryHeading {...words.declined} />
  return (
    <div className="space-y-5">
      {refused ? <EntryHeading key="refused" {...refused} /> : <InvitationHeading invitation={invitation} />}
      {error && !refused && <FailureNote title={words.failed} error={error} takeFocus />}
      {!refused && (
        <div className="space-y-2.5">
          <Button
            variant="primary"
            size="lg"
            className="w-full justify-center break-words"
            // Keep the button in its loading state after success, until the next page opens: the invitation
            // cannot be accepted twice.
            loading={accept.isPending || accept.isSuccess}
            disabled={decline.isPending}
            onClick={() => {
              decline.reset()
              accept.mutate()
            }}
          >
            {words.accept(invitation.organization.name)}
          </Button>
          <Button
            size="lg"
            className="w-full justify-center"
            loading={decline.isPending}
            disabled={accept.isPending || accept.isSuccess}
            onClick={() => {
              accept.reset()
              decline.mutate()
            }}
          >
            {words.decline}
          </Button>
        </div>
      )}
      <p className="text-[13px] break-words text-kumo-subtle">
        {words.signedInAs(email)}{' '}
        <button
          type="button"
          className="cursor-pointer rounded-sm font-medium text-kumo-link underline underline-offset-3"
          onClick={() => void leaveConsole(href.invitation(invitationId))}
        >
          {words.otherAccount}
        </button>
      </p>
    </div>
  )
}
