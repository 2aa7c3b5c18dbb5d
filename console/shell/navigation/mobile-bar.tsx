import { useSidebar } from '@cloudflare/kumo/components/sidebar'
import { ListIcon } from '@phosphor-icons/react'
import { href } from '../../routes.ts'
import { text } from '../../text/en.ts'
import { Mark, Wordmark } from '../../ui/page/brand.tsx'
import { Button } from '../../ui/controls/button.tsx'
import { HelpIconButton } from './help-button.tsx'
import { SearchIconButton } from './search-button.tsx'

/** The bar above a page on a narrow window, where the navigation is a sheet. Renders nothing on a wide window. */
export function MobileBar() {
  const { isMobile, openMobile, setOpenMobile } = useSidebar()
  if (!isMobile) return null
  return (
    <div className="flex h-13 shrink-0 items-center gap-2 border-b border-kumo-line bg-kumo-base px-2">
      <Button
        variant="ghost"
        shape="square"
        size="lg"
        aria-label={text.nav.open}
        aria-expanded={openMobile}
        icon={<ListIcon className="size-5" />}
        onClick={() => setOpenMobile(true)}
      />
      <a href={href.projects()} className="flex items-center gap-2 rounded-md py-1.5 pr-2 text-kumo-strong">
        <Mark className="size-6" />
        <Wordmark />
      </a>
      <SearchIconButton />
      <HelpIconButton />
    </div>
  )
}
