import { useMutation, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useRef, useState } from 'react'
import { queryKeys } from '../../api/query-keys.ts'
import { disableTwoFactor, renewBackupCodes } from '../../api/account/auth.ts'
import { notify } from '../../shell/toasts/toasts.ts'
import { accountText } from '../../text/account.en.ts'
import { useStayOnPage } from '../../ui/browser/use-stay-on-page.ts'
import { Button } from '../../ui/controls/button.tsx'
import { StateDot } from '../../ui/page/state-dot.tsx'
import { Box, Section } from './section.tsx'

const TwoFactorSetup = lazy(() =>
  import('../../ui/two-factor/two-factor-setup.tsx').then((module) => ({ default: module.TwoFactorSetup })),
)
const PasswordDialog = lazy(() =>
  import('./password-dialog.tsx').then((module) => ({ default: module.PasswordDialog })),
)
const CodesDialog = lazy(() =>
  import('./codes-dialog.tsx').then((module) => ({ default: module.CodesDialog })),
)
const twoFactorText = accountText.twoFactor

export function TwoFactorSettings({ isOn }: { isOn: boolean }) {
  const client = useQueryClient()
  const heading = useRef<HTMLHeadingElement>(null)
  const [isSettingUp, setSettingUp] = useState(false)
  const endSetup = () => {
    setSettingUp(false)
    heading.current?.focus()
    // The service replaces the session when two-factor is switched on or off, so refetch the sessions too.
    void client.invalidateQueries({ queryKey: queryKeys.account.all })
  }
  return (
    <Section title={twoFactorText.title} lead={twoFactorText.lead} headingRef={heading}>
      <Box>
        {isSettingUp ? (
          <Suspense fallback={null}>
            <div className="max-w-md space-y-4">
              <TwoFactorSetup onDone={endSetup} />
              {!isOn && (
                <Button variant="ghost" size="sm" className="-ml-2" onClick={endSetup}>
                  {twoFactorText.stop}
                </Button>
              )}
            </div>
          </Suspense>
        ) : (
          <div className="flex flex-wrap items-center gap-x-4 gap-y-3">
            <div className="min-w-0 flex-1 basis-52">
              <p className="font-medium">
                <StateDot tone={isOn ? 'good' : 'quiet'}>
                  {isOn ? twoFactorText.on : twoFactorText.off}
                </StateDot>
              </p>
              <p className="mt-0.5 text-[13px] text-kumo-subtle">
                {isOn ? twoFactorText.onHint : twoFactorText.offHint}
              </p>
            </div>
            {isOn ? (
              <OnActions onOff={endSetup} />
            ) : (
              <Button variant="primary" onClick={() => setSettingUp(true)}>
                {twoFactorText.setUp}
              </Button>
            )}
          </div>
        )}
      </Box>
    </Section>
  )
}

function OnActions({ onOff }: { onOff: () => void }) {
  const [asking, setAsking] = useState<'renew' | 'off' | null>(null)
  // Backup codes are shown once, so they are kept in this state and not in the query cache.
  const [codes, setCodes] = useState<string[] | null>(null)
  const renew = useMutation({
    mutationFn: renewBackupCodes,
    onSuccess: ({ backupCodes }) => {
      setCodes(backupCodes)
      renew.reset()
      setAsking(null)
    },
    gcTime: 0,
  })
  // The earlier codes are no longer valid once the service has the request.
  useStayOnPage(renew.isPending)
  const turnOff = useMutation({
    mutationFn: disableTwoFactor,
    onSuccess: () => {
      setAsking(null)
      notify(twoFactorText.turnedOff)
      onOff()
    },
  })
  // Reset the errors, so that a dialog that is opened again does not show the error of the earlier attempt.
  const cancel = () => {
    setAsking(null)
    renew.reset()
    turnOff.reset()
  }
  return (
    <div className="flex flex-wrap gap-2">
      <Button size="sm" onClick={() => setAsking('renew')}>
        {twoFactorText.renew}
      </Button>
      <Button size="sm" variant="secondary-destructive" onClick={() => setAsking('off')}>
        {twoFactorText.turnOff}
      </Button>
      <Suspense fallback={null}>
        {asking === 'renew' && (
          <PasswordDialog
            title={twoFactorText.renewTitle}
            consequence={twoFactorText.renewConsequence}
            submit={twoFactorText.renewSubmit}
            busy={renew.isPending}
            error={renew.error}
            onSubmit={(password) => renew.mutate(password)}
            onClose={cancel}
          />
        )}
        {asking === 'off' && (
          <PasswordDialog
            title={twoFactorText.turnOffTitle}
            consequence={twoFactorText.turnOffConsequence}
            submit={twoFactorText.turnOffSubmit}
            isDestructive
            busy={turnOff.isPending}
            error={turnOff.error}
            onSubmit={(password) => turnOff.mutate(password)}
            onClose={cancel}
          />
        )}
        {codes && <CodesDialog codes={codes} onClose={() => setCodes(null)} />}
      </Suspense>
    </div>
  )
}
