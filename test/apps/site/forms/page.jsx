// A booking with React Hook Form and react-select: a select that searches a server, one of many values, checked fields.
import { useState } from "react";
import { createRoot } from "react-dom/client";
import { Controller, useForm } from "react-hook-form";
import Select from "react-select";
import AsyncSelect from "react-select/async";

const extras = ["Breakfast", "Parking", "Sauna", "Late check-out"].map((label) => ({ value: label, label }));
const found = async (text) => {
  const answer = await fetch(`/cities?q=${encodeURIComponent(text)}`);
  return (await answer.json()).map((label) => ({ value: label, label }));
};

function Booking() {
  const [booked, setBooked] = useState("");
  const { control, register, handleSubmit, watch, formState, reset } = useForm({
    mode: "onBlur",
    defaultValues: { city: null, extras: [], guest: "", nights: "2", terms: false, kind: "" },
  });
  const { errors, isSubmitting } = formState;
  const submit = async ({ city, extras, guest, nights, kind }) => {
    const headers = { "content-type": "application/json" };
    const body = { city: city.value, extras: extras.map(({ value }) => value), guest, nights, kind };
    const answer = await fetch("/bookings", { method: "POST", headers, body: JSON.stringify(body) });
    setBooked((await answer.json()).text);
    reset();
  };
  return (
    <main>
      <h1>Book a room</h1>
      <form onSubmit={handleSubmit(submit)} noValidate>
        <label htmlFor="city">City</label>
        <Controller
          name="city"
          control={control}
          rules={{ required: "Choose a city" }}
          render={({ field }) => <AsyncSelect {...field} inputId="city" loadOptions={found} cacheOptions />}
        />
        {errors.city && <p role="alert">{errors.city.message}</p>}
        <label htmlFor="extras">Extras</label>
        <Controller
          name="extras"
          control={control}
          render={({ field }) => <Select {...field} inputId="extras" options={extras} isMulti />}
        />
        <label>
          Guest{" "}
          <input
            {...register("guest", { required: "Who comes?", minLength: { value: 2, message: "Too short" } })}
          />
        </label>
        {errors.guest && <p role="alert">{errors.guest.message}</p>}
        <label>
          Nights{" "}
          <input type="number" {...register("nights", { min: { value: 1, message: "At least one" } })} />
        </label>
        {errors.nights && <p role="alert">{errors.nights.message}</p>}
        <fieldset>
          <legend>Kind</legend>
          {["single", "double"].map((kind) => (
            <label key={kind}>
              <input type="radio" value={kind} {...register("kind", { required: "Which kind?" })} /> {kind}
            </label>
          ))}
        </fieldset>
        {errors.kind && <p role="alert">{errors.kind.message}</p>}
        {watch("kind") === "double" && <p>Breakfast for two</p>}
        <label>
          <input type="checkbox" {...register("terms", { required: "Please agree" })} /> I agree
        </label>
        {errors.terms && <p role="alert">{errors.terms.message}</p>}
        <button type="submit" disabled={isSubmitting}>
          {isSubmitting ? "Booking …" : "Book"}
        </button>
      </form>
      <p role="status">{booked}</p>
    </main>
  );
}

createRoot(document.querySelector("#root")).render(<Booking />);
