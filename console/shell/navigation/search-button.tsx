import { Sidebar, useSidebar } from '@cloudflare/kumo/components/sidebar'
import { MagnifyingGlassIcon } from '@phosphor-icons/react'
import { shellText } from '../../text/shell.en.ts'
import { isAppleKeyboard, keyLabels } from '../keys/key-labels.ts'
import { appDialog } from '../app-dialog.ts'
import { Button } from '../../ui/controls/button.tsx'

/** Opens the command palette from the navigation, and shows its shortcut where there is a keyboard. */
export function SearchItem() {
  const { isMobile, setOpenMobile } = useSidebar()
  const open = () => {
    setOpenMobile(false)
    appDialog.show('palette')
  }
  return (
    <Sidebar.MenuItem>
      <Sidebar.MenuButton icon={MagnifyingGlassIcon} data-tip={shellText.search} onClick={open}>
        {shellText.search}
        {!isMobile && (
          <kbd aria-hidden="true" className="ml-auto font-sans text-xs font-normal text-kumo-subtle">
            {keyLabels('mod+k', isAppleKeyboard()).flat(2).join(' ')}
          </kbd>
        )}
      </Sidebar.MenuButton>
    </Sidebar.MenuItem>
  )
}

/** Opens the command palette from the bar of a narrow window, where the navigation is closed. */
export function SearchIconButton() {
  return (
    <Button
      variant="ghost"
      shape="square"
      size="lg"
      className="ml-auto"
      aria-label={shellText.search}
      icon={<MagnifyingGlassIcon className="size-5" />}
      onClick={() => appDialog.show('palette')}
    />
  )
}
