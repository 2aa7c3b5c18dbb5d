import { CaretUpDownIcon } from '@phosphor-icons/react'
import type { Me } from '@slipway/sdk/client/types.gen.ts'
import { text } from '../../text/en.ts'

/** The classes of the account button, shared by the menu and by its placeholder, so that nothing moves when the menu has loaded. */
export const ACCOUNT_BUTTON =
  'flex min-w-0 flex-1 cursor-pointer items-center gap-2.5 rounded-lg p-1.5 text-left hover:bg-kumo-tint'

/** The initials of the user, beside name and address while the navigation is unfolded. */
export function AccountAvatar({ user, folded }: { user: NonNullable<Me['user']>; folded: boolean }) {
  return (
    <>
      <span
        className="grid size-7 shrink-0 place-items-center rounded-full bg-deep text-xs font-semibold text-white"
        aria-hidden="true"
      >
        {initialsOf(user.name)}
      </span>
      <span className="sr-only">
        {text.nav.account}: {folded && user.name}
      </span>
      {!folded && (
        <>
          <span className="min-w-0 flex-1 leading-tight">
            <span className="block truncate font-medium text-kumo-strong">{user.name}</span>
            <span className="block truncate text-xs text-kumo-subtle">{user.email}</span>
          </span>
          <CaretUpDownIcon className="shrink-0 text-kumo-subtle" aria-hidden="true" />
        </>
      )}
    </>
  )
}

function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/)
  return [words[0], words.length > 1 ? words.at(-1) : undefined]
    .map((word = '') => (Array.from(word)[0] ?? '').toUpperCase())
    .join('')
}
