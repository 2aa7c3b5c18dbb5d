import { Dialog } from '@cloudflare/kumo/components/dialog'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { queryKeys } from '../../../api/query-keys.ts'
import { describeFailure } from '../../../api/request/failures.ts'
import { inviteMember, type PendingInvitation, type Role } from '../../../api/organization/members.ts'
import { href } from '../../../routes.ts'
import { readBoot } from '../../../shell/boot.ts'
import { membersText } from '../../../text/members.en.ts'
import { FailureNote } from '../../../ui/page/failure.tsx'
import { NativeSelect } from '../../../ui/controls/native-select.tsx'
import { FormDialog } from '../../../ui/dialogs/form-dialog.tsx'
import { ShowOnceContent } from '../../../ui/dialogs/show-once-dialog.tsx'
import { ShowOnceSecret } from '../../../ui/dialogs/show-once-secret.tsx'
import { focusField } from '../../../ui/browser/focus-field.ts'
import { FormFooter } from '../../../ui/controls/form-footer.tsx'
import { TextField } from '../../../ui/controls/text-field.tsx'
import { rolesToGive } from './rights.ts'

const inviteFormText = membersText.form

/** The error codes that are shown at the e-mail field, each with its message. */
const ABOUT_ADDRESS: Record<string, string> = {
  invalid_email: inviteFormText.invalidEmail,
  user_is_already_a_member_of_this_organization: inviteFormText.alreadyMember,
}

/** Invites a person by e-mail address, then shows the link of the invitation, which works without a mail server. */
export function InviteDialog({ role, onClose }: { role: Role; onClose: () => void }) {
  const [made, setMade] = useState<PendingInvitation | null>(null)
  return (
    <FormDialog size="lg" className="w-full p-6" isSent={made !== null} onClose={onClose}>
      {made ? (
        <MadeInvitation invitation={made} onClose={onClose} />
      ) : (
        <InviteForm role={role} onMade={setMade} onClose={onClose} />
      )}
    </FormDialog>
  )
}

function InviteForm(props: { role: Role; onMade: (made: PendingInvitation) => void; onClose: () => void }) {
  const client = useQueryClient()
  const [role, setRole] = useState<Role>('member')
  const invite = useMutation({
    mutationFn: (email: string) => inviteMember({ email, role }),
    onSuccess: async (made) => {
      await client.invalidateQueries({ queryKey: queryKeys.members.invitations })
      props.onMade(made)
    },
  })
  const problem = invite.isError ? ABOUT_ADDRESS[describeFailure(invite.error).code] : undefined
  const submit = (event: React.FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    invite.mutate(String(new FormData(form).get('email') ?? '').trim(), {
      onError: (error) => ABOUT_ADDRESS[describeFailure(error).code] && focusField(form, 'email'),
    })
  }
  return (
    <form onSubmit={submit} noValidate className="flex flex-col gap-4">
      <Dialog.Title className="text-[18px] font-semibold text-kumo-strong">
        {inviteFormText.title}
      </Dialog.Title>
      {invite.isError && !problem && (
        <FailureNote title={inviteFormText.failed} error={invite.error} takeFocus />
      )}
      <TextField
        name="email"
        type="email"
        label={inviteFormText.email}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        {...(problem ? { error: problem } : { description: inviteFormText.emailHint })}
      />
      <div className="space-y-1.5">
        <NativeSelect
          label={inviteFormText.role}
          value={role}
          options={rolesToGive(props.role).map((value) => ({ value, label: membersText.roles[value] }))}
          onChange={setRole}
        />
        <p role="status" className="text-[13px] text-kumo-subtle">
          {membersText.roleSentences[role]}
        </p>
      </div>
      <FormFooter submit={inviteFormText.submit} busy={invite.isPending} onClose={props.onClose} />
    </form>
  )
}

function MadeInvitation({ invitation, onClose }: { invitation: PendingInvitation; onClose: () => void }) {
  return (
    <ShowOnceContent
      title={membersText.made.title(invitation.email)}
      hint={membersText.made[readBoot().mail === 'smtp' ? 'mailed' : 'send']}
      saved={membersText.made.done}
      onClose={onClose}
    >
      <ShowOnceSecret
        label={membersText.made.link}
        value={location.origin + href.invitation(invitation.id)}
      />
    </ShowOnceContent>
  )
}
