// Members in Angular Material, compiled in the page: a table that sorts, pages and is filtered, a dialog with a form, menus.
import "@angular/compiler";
import "@angular/material/prebuilt-themes/azure-blue.css";
import { Component, inject, provideZonelessChangeDetection, ViewChild } from "@angular/core";
import { FormControl, FormGroup, ReactiveFormsModule, Validators } from "@angular/forms";
import { MatAutocompleteModule } from "@angular/material/autocomplete";
import { MatButtonModule } from "@angular/material/button";
import { MatCheckboxModule } from "@angular/material/checkbox";
import { provideNativeDateAdapter } from "@angular/material/core";
import { MatDatepickerModule } from "@angular/material/datepicker";
import { MAT_DIALOG_DATA, MatDialog, MatDialogModule, MatDialogRef } from "@angular/material/dialog";
import { MatExpansionModule } from "@angular/material/expansion";
import { MatFormFieldModule } from "@angular/material/form-field";
import { MatInputModule } from "@angular/material/input";
import { MatMenuModule } from "@angular/material/menu";
import { MatPaginator, MatPaginatorModule } from "@angular/material/paginator";
import { MatSelectModule } from "@angular/material/select";
import { MatSlideToggleModule } from "@angular/material/slide-toggle";
import { MatSnackBar, MatSnackBarModule } from "@angular/material/snack-bar";
import { MatSort, MatSortModule } from "@angular/material/sort";
import { MatTableDataSource, MatTableModule } from "@angular/material/table";
import { MatTabsModule } from "@angular/material/tabs";
import { bootstrapApplication } from "@angular/platform-browser";

const fields = [ReactiveFormsModule, MatButtonModule, MatDialogModule, MatFormFieldModule, MatInputModule];

const Sure = Component({
  selector: "x-sure",
  imports: [MatButtonModule, MatDialogModule],
  template: `
<h2 mat-dialog-title>Remove {{ name }}?</h2>
<mat-dialog-actions><button matButton mat-dialog-close>Keep</button><button matButton [mat-dialog-close]="true">Remove</button></mat-dialog-actions>`,
})(
  class {
    name = inject(MAT_DIALOG_DATA);
  },
);

const NewMember = Component({
  selector: "x-new-member",
  imports: [...fields, MatAutocompleteModule, MatDatepickerModule, MatSelectModule, MatSlideToggleModule],
  template: `
<h2 mat-dialog-title>New member</h2>
<form [formGroup]="form" (ngSubmit)="save()"><mat-dialog-content>
  <mat-form-field><mat-label>Name</mat-label><input matInput formControlName="name">
    @if (form.controls.name.hasError('required')) { <mat-error>A member has a name</mat-error> }
    @if (form.controls.name.hasError('taken')) { <mat-error>There is one of that name</mat-error> }
  </mat-form-field>
  <mat-form-field><mat-label>Plan</mat-label><mat-select formControlName="plan">
    @for (plan of plans; track plan) { <mat-option [value]="plan">{{ plan }}</mat-option> }
  </mat-select></mat-form-field>
  <mat-form-field><mat-label>Town</mat-label><input matInput formControlName="town" [matAutocomplete]="auto">
    <mat-autocomplete #auto="matAutocomplete">
      @for (town of matching(); track town) { <mat-option [value]="town">{{ town }}</mat-option> }
    </mat-autocomplete></mat-form-field>
  <mat-form-field><mat-label>Since</mat-label><input matInput formControlName="since" [matDatepicker]="picker">
    <mat-datepicker-toggle matIconSuffix [for]="picker"></mat-datepicker-toggle><mat-datepicker #picker [startAt]="start"></mat-datepicker></mat-form-field>
  <mat-slide-toggle formControlName="letters">Letters</mat-slide-toggle>
</mat-dialog-content>
<mat-dialog-actions><button matButton type="button" mat-dialog-close>Cancel</button><button matButton="filled">Save</button></mat-dialog-actions></form>`,
})(
  class {
    dialog = inject(MatDialogRef);
    names = inject(MAT_DIALOG_DATA);
    plans = ["Basic", "Family", "Gold"];
    start = new Date(2030, 4, 1);
    form = new FormGroup({
      name: new FormControl("", [
        Validators.required,
        ({ value }) => (this.names.includes(value) ? { taken: true } : null),
      ]),
      plan: new FormControl("Basic"),
      town: new FormControl(""),
      since: new FormControl(null),
      letters: new FormControl(false),
    });
    matching() {
      const typed = (this.form.value.town ?? "").toLowerCase();
      return ["Aarhus", "Bergen", "Bremen", "Turku"].filter((each) => each.toLowerCase().includes(typed));
    }
    save() {
      if (this.form.valid) this.dialog.close(this.form.value);
      else this.form.markAllAsTouched();
    }
  },
);

const Members = Component({
  selector: "x-members",
  imports: [
    ...fields,
    MatCheckboxModule,
    MatExpansionModule,
    MatMenuModule,
    MatPaginatorModule,
    MatSnackBarModule,
    MatSortModule,
    MatTableModule,
    MatTabsModule,
  ],
  template: `
<h1>Members</h1>
<mat-tab-group><mat-tab label="All">
  <mat-form-field><mat-label>Filter</mat-label><input matInput (input)="members.filter = $any($event.target).value"></mat-form-field>
  <button matButton="filled" (click)="add()">New member</button>
  <table mat-table [dataSource]="members" matSort>
    <ng-container matColumnDef="paid"><th mat-header-cell *matHeaderCellDef>Paid</th><td mat-cell *matCellDef="let row"><mat-checkbox aria-label="Paid" [checked]="row.paid" (change)="pay(row, $event.checked)"></mat-checkbox></td></ng-container>
    <ng-container matColumnDef="name"><th mat-header-cell mat-sort-header *matHeaderCellDef>Name</th><td mat-cell *matCellDef="let row">{{ row.name }}</td></ng-container>
    <ng-container matColumnDef="plan"><th mat-header-cell mat-sort-header *matHeaderCellDef>Plan</th><td mat-cell *matCellDef="let row">{{ row.plan }}</td></ng-container>
    <ng-container matColumnDef="town"><th mat-header-cell *matHeaderCellDef>Town</th><td mat-cell *matCellDef="let row">{{ row.town }}</td></ng-container>
    <ng-container matColumnDef="does"><th mat-header-cell *matHeaderCellDef></th><td mat-cell *matCellDef="let row"><button matButton [matMenuTriggerFor]="menu" [matMenuTriggerData]="{ row }">Actions</button></td></ng-container>
    <tr mat-header-row *matHeaderRowDef="columns"></tr><tr mat-row *matRowDef="let row; columns: columns"></tr>
    <tr *matNoDataRow><td>Nobody is like that</td></tr>
  </table>
  <mat-paginator [pageSizeOptions]="[5, 10]" aria-label="Pages"></mat-paginator>
  <mat-menu #menu="matMenu"><ng-template matMenuContent let-row="row">
    <button mat-menu-item (click)="upgrade(row)">Make it gold</button><button mat-menu-item (click)="remove(row)">Remove</button>
  </ng-template></mat-menu>
</mat-tab><mat-tab label="Rules">
  <mat-accordion><mat-expansion-panel><mat-expansion-panel-header>Fees</mat-expansion-panel-header>Nine euros a month</mat-expansion-panel></mat-accordion>
</mat-tab></mat-tab-group>`,
})(
  class {
    static propDecorators = {
      sort: [{ type: ViewChild, args: [MatSort] }],
      pages: [{ type: ViewChild, args: [MatPaginator] }],
    };
    dialog = inject(MatDialog);
    news = inject(MatSnackBar);
    columns = ["paid", "name", "plan", "town", "does"];
    members = new MatTableDataSource(
      ["Ada", "Ben", "Cleo", "Dan", "Eva", "Finn", "Gil"].map((name, index) => ({
        name,
        plan: ["Basic", "Gold", "Family"][index % 3],
        town: ["Turku", "Bergen"][index % 2],
        paid: false,
      })),
    );
    // A tab's content is there later than what holds it.
    set sort(sort) {
      this.members.sort = sort;
    }
    set pages(pages) {
      this.members.paginator = pages;
    }
    tell(what) {
      say(what);
      this.news.open(what, "Dismiss");
    }
    pay(row, paid) {
      row.paid = paid;
      say(`${row.name} ${paid ? "paid" : "owes"}`);
    }
    upgrade(row) {
      row.plan = "Gold";
      this.members.data = [...this.members.data];
      this.tell(`${row.name} is gold`);
    }
    remove(row) {
      const asked = this.dialog.open(Sure, { data: row.name });
      asked.afterClosed().subscribe((sure) => {
        if (!sure) return;
        this.members.data = this.members.data.filter((each) => each !== row);
        this.tell(`${row.name} removed`);
      });
    }
    add() {
      const names = this.members.data.map(({ name }) => name);
      const asked = this.dialog.open(NewMember, { data: names });
      asked.afterClosed().subscribe((member) => {
        if (!member) return;
        this.members.data = [{ ...member, paid: false }, ...this.members.data];
        const day = member.since?.toLocaleDateString("en-US") ?? "today";
        this.tell(
          `${member.name} of ${member.town} since ${day}, ${member.plan}${member.letters ? ", letters" : ""}`,
        );
      });
    }
  },
);

document.getElementById("root").append(document.createElement("x-members"));
await bootstrapApplication(Members, {
  providers: [provideZonelessChangeDetection(), provideNativeDateAdapter()],
});
