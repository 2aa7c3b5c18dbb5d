import { Dialog } from '@cloudflare/kumo/components/dialog'
import { accountText } from '../../text/account.en.ts'
import { BackupCodes } from '../../ui/two-factor/backup-codes.tsx'
import { Button } from '../../ui/controls/button.tsx'

const twoFactorText = accountText.twoFactor

/** Shows new backup codes. They cannot be read again after the dialog is closed. */
export function CodesDialog({ codes, onClose }: { codes: string[]; onClose: () => void }) {
  return (
    // No `onOpenChange`, so Escape does not close the dialog: the new codes would be lost, and the old codes are no longer valid.
    <Dialog.Root open>
      <Dialog size="base" className="flex w-full flex-col gap-4 p-6">
        <Dialog.Title className="text-[18px] font-semibold text-kumo-strong">
          {twoFactorText.renewed}
        </Dialog.Title>
        <Dialog.Description className="text-kumo-subtle">{twoFactorText.renewedHint}</Dialog.Description>
        <BackupCodes codes={codes} />
        <div className="flex justify-end">
          <Button variant="primary" onClick={onClose}>
            {twoFactorText.saved}
          </Button>
        </div>
      </Dialog>
    </Dialog.Root>
  )
}
