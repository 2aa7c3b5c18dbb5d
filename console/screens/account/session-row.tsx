import { DesktopIcon, DeviceMobileIcon } from '@phosphor-icons/react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type DeviceSession, revokeSession, sessionsQuery } from '../../api/account/sessions.ts'
import { removeFromList } from '../../api/request/remove-from-list.ts'
import { accountText } from '../../text/account.en.ts'
import { Button } from '../../ui/controls/button.tsx'
import { FailureNote } from '../../ui/page/failure.tsx'
import { StateDot } from '../../ui/page/state-dot.tsx'
import { RelativeTime } from '../../ui/format/time.tsx'
import { deviceName } from './device-name.ts'
import { shortAddress } from './user-agent.ts'

const sessionsText = accountText.sessions

export function SessionRow({ session, isHere }: { session: DeviceSession; isHere: boolean }) {
  const client = useQueryClient()
  const end = useMutation({
    mutationFn: () => revokeSession(session.token),
    onSuccess: () => removeFromList(client, sessionsQuery().queryKey, session.id),
  })
  const device = deviceName(session.userAgent)
  const DeviceIcon = /iPhone|Android/.test(device) ? DeviceMobileIcon : DesktopIcon
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2 py-3 first:pt-0 last:pb-0">
      <DeviceIcon className="size-5 shrink-0 text-kumo-subtle" aria-hidden="true" />
      <div className="min-w-0 flex-1 basis-44">
        <p className="flex flex-wrap items-center gap-x-3">
          <span className="min-w-0 truncate font-medium">{device}</span>
          {isHere && (
            <span className="text-[13px] text-kumo-subtle">
              <StateDot tone="good">{sessionsText.here}</StateDot>
            </span>
          )}
        </p>
        <p className="text-[13px] break-words text-kumo-subtle">
          {session.ipAddress && <>{shortAddress(session.ipAddress)} · </>}
          {sessionsText.since} <RelativeTime at={session.createdAt} />
        </p>
      </div>
      {!isHere && (
        <Button
          size="sm"
          variant="ghost"
          aria-label={sessionsText.signOutOf(device)}
          loading={end.isPending}
          onClick={() => end.mutate()}
        >
          {sessionsText.signOut}
        </Button>
      )}
      {end.isError && (
        <div className="basis-full">
          <FailureNote error={end.error} />
        </div>
      )}
    </li>
  )
}
