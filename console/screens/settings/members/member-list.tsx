import { MagnifyingGlassIcon } from '@phosphor-icons/react'
import { useDeferredValue, useMemo, useState } from 'react'
import type { Member } from '../../../api/organization/members.ts'
import { membersText } from '../../../text/members.en.ts'
import { EmptyNote } from '../../../ui/page/empty-note.tsx'
import { FIELD_STYLE } from '../../../ui/controls/text-field.tsx'
import { WindowedList } from '../../../ui/lists/windowed-list.tsx'
import { MemberRow } from './member-row.tsx'
import type { Viewer } from './rights.ts'

/** The search field is shown when there are at least this many members. */
const SEARCHABLE_MEMBERS_MIN = 8
const ROW_PX = 64

/** The members of the organization; only visible rows are rendered. */
export function MemberList({ members, viewer }: { members: Member[]; viewer: Viewer }) {
  const [typed, setTyped] = useState('')
  const q = useDeferredValue(typed.trim().toLowerCase())
  const found = useMemo(
    () => members.filter(({ user }) => `${user.name}\n${user.email}`.toLowerCase().includes(q)),
    [members, q],
  )
  return (
    <section aria-label={membersText.title}>
      {members.length >= SEARCHABLE_MEMBERS_MIN && (
        <div className="mb-3 flex min-h-9 flex-wrap items-center justify-between gap-x-6 gap-y-2">
          <p role="status" className="text-[13px] text-kumo-subtle">
            {membersText.count(found.length)}
          </p>
          <input
            type="search"
            aria-label={membersText.search}
            placeholder={membersText.search}
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
            className={`${FIELD_STYLE} h-9 ring-kumo-line sm:w-64`}
          />
        </div>
      )}
      {found.length === 0 ? (
        <EmptyNote icon={<MagnifyingGlassIcon />} title={membersText.noMatch(typed.trim())} hint="" />
      ) : (
        <WindowedList items={found} rowPx={ROW_PX} keyOf={({ id }) => id}>
          {(member) => <MemberRow member={member} viewer={viewer} />}
        </WindowedList>
      )}
      {members.length === 1 && (
        <p className="mt-3 text-[13px] text-kumo-subtle">
          <span className="font-medium text-kumo-default">{membersText.aloneTitle}.</span>{' '}
          {membersText.aloneHint}
        </p>
      )}
    </section>
  )
}
