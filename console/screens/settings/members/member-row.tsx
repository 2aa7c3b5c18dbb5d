import { Badge } from '@cloudflare/kumo/components/badge'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { changedBy, invalidateAll } from '../../../api/query-keys.ts'
import { changeRole, type Member, type Role, ROLES } from '../../../api/organization/members.ts'
import { membersText } from '../../../text/members.en.ts'
import { NativeSelect } from '../../../ui/controls/native-select.tsx'
import { ReasonButton } from '../../../ui/controls/reason-button.tsx'
import { RelativeTime } from '../../../ui/format/time.tsx'
import { rolesToGive, type Viewer, roleChangeRefusal, removalRefusal } from './rights.ts'

const RemoveMember = lazy(() =>
  import('./remove-member.tsx').then((module) => ({ default: module.RemoveMember })),
)
const Confirm = lazy(() =>
  import('../../../ui/dialogs/confirm.tsx').then((module) => ({ default: module.Confirm })),
)

export function MemberRow({ member, viewer }: { member: Member; viewer: Viewer }) {
  const [asked, setAsked] = useState<Role | 'remove' | null>(null)
  const { name, email } = member.user
  const keepsRole = roleChangeRefusal(viewer, member)
  const roles = keepsRole === null ? rolesToGive(viewer.role) : ROLES
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2 px-4 py-3">
      <div className="min-w-0 flex-1 basis-56">
        <p className="flex items-center gap-2">
          <span title={name} className="truncate font-medium text-kumo-strong">
            {name || email}
          </span>
          {member.userId === viewer.userId && <Badge variant="outline">{membersText.you}</Badge>}
        </p>
        <p className="text-[13px] break-words text-kumo-subtle">
          {email} · {membersText.joined} <RelativeTime at={member.createdAt} />
        </p>
        {/* For a viewer with the role `member` the reason is shown once, above the list. */}
        {keepsRole && viewer.role !== 'member' && <p className="text-[13px] text-kumo-subtle">{keepsRole}</p>}
      </div>
      <div className="flex items-center gap-2">
        <div className="w-32">
          <NativeSelect
            label={membersText.roleOf(name || email)}
            hideLabel
            value={member.role}
            disabled={keepsRole !== null}
            options={roles.map((role) => ({ value: role, label: membersText.roles[role] }))}
            onChange={setAsked}
          />
        </div>
        <ReasonButton
          variant="secondary-destructive"
          aria-label={membersText.removeOf(name || email)}
          reason={removalRefusal(viewer, member)}
          onClick={() => setAsked('remove')}
        >
          {membersText.remove}
        </ReasonButton>
      </div>
      {asked && (
        <Suspense fallback={null}>
          {asked === 'remove' ? (
            <RemoveMember member={member} onClose={() => setAsked(null)} />
          ) : (
            <ConfirmRole member={member} asked={asked} onClose={() => setAsked(null)} />
          )}
        </Suspense>
      )}
    </div>
  )
}

function ConfirmRole(props: { member: Member; asked: Role; onClose: () => void }) {
  const { member, asked, onClose } = props
  const client = useQueryClient()
  const act = useMutation({
    mutationFn: () => changeRole(member.id, asked),
    onSuccess: () => invalidateAll(client, changedBy.role),
  })
  return (
    <Confirm
      isHarmless
      title={membersText.changeTitle(member.user.name || member.user.email, membersText.asRole[asked])}
      consequence={membersText.roleSentences[asked]}
      submit={membersText.changeSubmit}
      busy={act.isPending}
      error={act.error}
      onConfirm={() => act.mutate(undefined, { onSuccess: onClose })}
      onClose={onClose}
    />
  )
}
