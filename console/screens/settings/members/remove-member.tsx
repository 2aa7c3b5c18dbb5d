import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { changedBy, invalidateAll, queryKeys } from '../../../api/query-keys.ts'
import {
  type MemberBelongings,
  belongingsQuery,
  type Disposition,
  type Dispositions,
  type Member,
  removeMember,
  settleBelongings,
} from '../../../api/organization/members.ts'
import { membersText } from '../../../text/members.en.ts'
import { Confirm } from '../../../ui/dialogs/confirm.tsx'
import { FailureNote } from '../../../ui/page/failure.tsx'
import { NativeSelect } from '../../../ui/controls/native-select.tsx'
import { Bar, Skeleton } from '../../../ui/page/skeleton.tsx'

const belongingsText = membersText.belongings
const BELONGING_KINDS = ['apiKeys', 'webhooks', 'ingestSources'] as const
const NAMED_BELONGINGS_MAX = 3

/**
 * Removes a member. Their API keys, webhooks and ingest sources (`belongings`) outlive the membership, so the
 * dialog asks for each kind whether to remove it or transfer it to the viewer.
 */
export function RemoveMember({ member, onClose }: { member: Member; onClose: () => void }) {
  const client = useQueryClient()
  const belongings = useQuery(belongingsQuery(member.id))
  const [choice, setChoice] = useState<Dispositions>({
    apiKeys: 'remove',
    webhooks: 'hand_over',
    ingestSources: 'hand_over',
  })
  const remove = useMutation({
    mutationFn: async () => {
      await settleBelongings(member.id, choice)
      await removeMember(member.id)
    },
    onSuccess: onClose,
    // The belongings may have been removed or transferred even when removing the member failed.
    onError: () => client.invalidateQueries({ queryKey: queryKeys.belongings(member.id) }),
    onSettled: () => invalidateAll(client, changedBy.memberRemoval),
  })
  const made = BELONGING_KINDS.filter((kind) => (belongings.data?.[kind].length ?? 0) > 0)
  return (
    <Confirm
      title={membersText.removeTitle(member.user.name || member.user.email)}
      consequence={membersText.removeConsequence}
      details={
        <>
          {belongings.isPending && (
            <Skeleton>
              <Bar className="w-2/3" />
            </Skeleton>
          )}
          {belongings.isError && <FailureNote error={belongings.error} />}
          {belongings.data && made.length === 0 && <p className="text-kumo-subtle">{belongingsText.none}</p>}
          {belongings.data && made.length > 0 && (
            <ul className="divide-y divide-kumo-line rounded-xl ring-1 ring-kumo-line">
              {made.map((kind) => (
                <KindChoice
                  key={kind}
                  kind={kind}
                  names={namesOf(belongings.data, kind)}
                  value={choice[kind]}
                  onChange={(value) => setChoice({ ...choice, [kind]: value })}
                />
              ))}
            </ul>
          )}
          {made.includes('apiKeys') && choice.apiKeys === 'hand_over' && (
            <p role="status" className="text-[13px] text-kumo-subtle">
              {belongingsText.copies}
            </p>
          )}
        </>
      }
      submit={membersText.removeSubmit}
      isBlocked={!belongings.isSuccess}
      busy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    />
  )
}

function KindChoice(props: {
  kind: (typeof BELONGING_KINDS)[number]
  names: string[]
  value: Disposition
  onChange: (value: Disposition) => void
}) {
  const { kind, names } = props
  const options = (['remove', 'hand_over'] as const).map((value) => ({
    value,
    label: belongingsText.dispositions[kind][value],
  }))
  return (
    <li className="space-y-2 px-4 py-3">
      <div>
        <p className="font-medium text-kumo-strong">{belongingsText.counts[kind](names.length)}</p>
        <p title={names.join('\n')} className="text-[13px] break-words text-kumo-subtle">
          {belongingsText.names(names.slice(0, NAMED_BELONGINGS_MAX), names.length - NAMED_BELONGINGS_MAX)}
        </p>
      </div>
      <NativeSelect
        label={belongingsText.becomes[kind]}
        hideLabel
        value={props.value}
        options={options}
        onChange={props.onChange}
      />
    </li>
  )
}

function namesOf(made: MemberBelongings, kind: (typeof BELONGING_KINDS)[number]): string[] {
  if (kind === 'apiKeys') return made.apiKeys.map(({ name, prefix }) => `${name} (${prefix}…)`)
  if (kind === 'webhooks') return made.webhooks.map(({ url }) => new URL(url).host)
  return made.ingestSources.map(({ projectName }) => projectName)
}
