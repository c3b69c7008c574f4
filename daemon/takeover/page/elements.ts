// Finds the elements of the page.

export interface Elements {
  main: HTMLElement;
  view: HTMLCanvasElement;
  typing: HTMLTextAreaElement;
  status: HTMLElement;
  tabs: HTMLSelectElement;
  back: HTMLElement;
  reload: HTMLElement;
  keyboard: HTMLElement;
  handBack: HTMLElement;
  dialog: HTMLDialogElement;
  dialogText: HTMLElement;
  dialogAnswer: HTMLInputElement;
  dialogDismiss: HTMLElement;
}

export function elements(): Elements {
  const byId = <T extends HTMLElement>(id: string) => document.getElementById(id) as T;
  return {
    main: document.querySelector("main") as HTMLElement,
    view: byId("view"),
    typing: byId("typing"),
    status: byId("status"),
    tabs: byId("tabs"),
    back: byId("back"),
    reload: byId("reload"),
    keyboard: byId("keyboard"),
    handBack: byId("hand-back"),
    dialog: byId("dialog"),
    dialogText: byId("dialog-text"),
    dialogAnswer: byId("dialog-answer"),
    dialogDismiss: byId("dialog-dismiss"),
  };
}
