/** Owns the short notices after something was done, and their one stack. */

import { Toast } from '@base-ui/react/toast'
import { Icon } from './icons.tsx'
import { wordError } from './situations.tsx'

const manager = Toast.createToastManager()

export interface Notice {
  readonly title: string
  readonly description?: string
  /** Takes it back, or leads on. */
  readonly action?: { readonly label: string; readonly run: () => void }
}

export function notify({ title, description, action }: Notice): void {
  manager.add({
    title,
    description,
    type: 'info',
    ...(action === undefined
      ? {}
      : { actionProps: { children: action.label, onClick: action.run } }),
  })
}

export function notifyError(error: unknown): void {
  const { title, detail } = wordError(error)
  manager.add({ title, description: detail, type: 'error', timeout: 12_000, priority: 'high' })
}

export function Toasts() {
  return (
    <Toast.Provider toastManager={manager} limit={4}>
      <Toast.Portal>
        <Toast.Viewport className="toasts">
          <ToastList />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  )
}

function ToastList() {
  const { toasts } = Toast.useToastManager()
  return toasts.map((toast) => (
    <Toast.Root key={toast.id} toast={toast} className="toast" data-type={toast.type}>
      <Toast.Content className="flex items-start gap-3">
        <div className="min-w-0 flex-1">
          <Toast.Title className="font-semibold" render={<p />} />
          <Toast.Description className="text-ink-soft" />
        </div>
        <Toast.Action className="button empty:hidden" data-size="small" />
        <Toast.Close className="button" data-tone="quiet" data-size="small" aria-label="Dismiss">
          <Icon name="stop" />
        </Toast.Close>
      </Toast.Content>
    </Toast.Root>
  ))
}
