/** Picture field with a preview, cropped to a square like the stored image. */
import { useEffect, useState } from 'preact/hooks';
import { controlOf, Field } from './field.tsx';

export function PictureField({
  picture,
  fault,
  onChoose,
}: {
  readonly picture: File | undefined;
  readonly fault: string | undefined;
  readonly onChoose: (picture: File | undefined) => void;
}) {
  return (
    <div class="picture-field">
      <ChosenPicture picture={picture} />
      <Field
        name="image"
        label="Picture"
        required
        fault={fault}
        hint="A PNG or JPEG of at most 1 MB. The centre square is used, as shown here."
      >
        <input
          {...controlOf('image', fault)}
          type="file"
          required
          accept="image/png,image/jpeg"
          onChange={({ currentTarget }) => onChoose(currentTarget.files?.[0])}
        />
      </Field>
    </div>
  );
}

export function ChosenPicture({ picture }: { readonly picture: File | undefined }) {
  const [address, show] = useState<string>();
  useEffect(() => {
    if (picture === undefined) return show(undefined);
    const url = URL.createObjectURL(picture);
    show(url);
    return () => URL.revokeObjectURL(url);
  }, [picture]);
  return address === undefined ? (
    <span class="pic pic-72" aria-hidden="true" />
  ) : (
    <img class="pic pic-72" src={address} alt="Preview" width={72} height={72} />
  );
}
